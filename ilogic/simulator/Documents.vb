' Documents, component definitions, bodies and their mass data.

Imports System.Collections
Imports System.Collections.Generic
Imports System.Dynamic
Imports System.Linq.Expressions
Imports System.Text.Json
Imports Inventor

Namespace Global.Simulator
    Public NotInheritable Class SimPoint
        Implements Point, UnitVector
        Public ReadOnly Property X As Double Implements Point.X, UnitVector.X
        Public ReadOnly Property Y As Double Implements Point.Y, UnitVector.Y
        Public ReadOnly Property Z As Double Implements Point.Z, UnitVector.Z

        Public Sub New(coordinates As Double())
            X = coordinates(0)
            Y = coordinates(1)
            Z = coordinates(2)
        End Sub
    End Class

    Public NotInheritable Class SimBox
        Implements Box
        Public ReadOnly Property MinPoint As Point Implements Box.MinPoint
        Public ReadOnly Property MaxPoint As Point Implements Box.MaxPoint

        Public Sub New(corners As Double()())
            MinPoint = New SimPoint(corners(0))
            MaxPoint = New SimPoint(corners(1))
        End Sub
    End Class

    ''' <summary>Rows and columns count from 1.</summary>
    Public NotInheritable Class SimMatrix
        Implements Matrix
        Private ReadOnly pose As Pose

        Public Sub New(pose As Pose)
            Me.pose = pose
        End Sub

        Public Property Cell(Row As Integer, Col As Integer) As Double Implements Matrix.Cell
            Get
                If Row < 1 OrElse Row > 4 OrElse Col < 1 OrElse Col > 4 Then Throw New System.ArgumentException("Cell(" & Row & ", " & Col & ")")
                Return pose(Row - 1, Col - 1)
            End Get
            Set(value As Double)
                pose(Row - 1, Col - 1) = value
            End Set
        End Property
    End Class

    ''' <summary>A collection whose items count from 1.</summary>
    Public MustInherit Class SimCollection(Of T)
        Implements IEnumerable
        Protected ReadOnly items As List(Of T)

        Protected Sub New(items As List(Of T))
            Me.items = items
        End Sub

        Protected ReadOnly Property CountOfItems As Integer
            Get
                Return items.Count
            End Get
        End Property

        Protected Function ItemAt(index As Integer) As T
            If index < 1 OrElse index > items.Count Then Throw New System.ArgumentException("index " & index & " of " & items.Count)
            Return items(index - 1)
        End Function

        Public Function GetEnumerator() As IEnumerator Implements IEnumerable.GetEnumerator
            Return items.GetEnumerator()
        End Function
    End Class

    Public NotInheritable Class SimColor
        Implements Inventor.Color
        Public ReadOnly Property Red As Byte Implements Inventor.Color.Red
        Public ReadOnly Property Green As Byte Implements Inventor.Color.Green
        Public ReadOnly Property Blue As Byte Implements Inventor.Color.Blue
        Public ReadOnly Property Opacity As Double = 1 Implements Inventor.Color.Opacity

        Public Sub New(rgba As Double())
            Red = CByte(rgba(0) * 255)
            Green = CByte(rgba(1) * 255)
            Blue = CByte(rgba(2) * 255)
        End Sub
    End Class

    Public NotInheritable Class SimColorValue
        Implements ColorAssetValue
        Public ReadOnly Property Name As String Implements AssetValue.Name
        Public ReadOnly Property Value As Inventor.Color Implements ColorAssetValue.Value

        Public Sub New(name As String, value As Inventor.Color)
            Me.Name = name
            Me.Value = value
        End Sub
    End Class

    Public NotInheritable Class SimFloatValue
        Implements FloatAssetValue
        Public ReadOnly Property Name As String Implements AssetValue.Name
        Public ReadOnly Property Value As Double Implements FloatAssetValue.Value

        Public Sub New(name As String, value As Double)
            Me.Name = name
            Me.Value = value
        End Sub
    End Class

    Public NotInheritable Class SimAsset
        Inherits SimCollection(Of AssetValue)
        Implements Asset
        Public ReadOnly Property DisplayName As String Implements Asset.DisplayName

        Public Sub New(displayName As String, values As List(Of AssetValue))
            MyBase.New(values)
            Me.DisplayName = displayName
        End Sub

        ''' <summary>An appearance of a colour; transparency is a value of its own, 0 for opaque.</summary>
        Public Shared Function Appearance(rgba As Double()) As SimAsset
            If rgba Is Nothing Then Return Nothing
            Return New SimAsset("Paint", New List(Of AssetValue)() From {
                New SimColorValue("generic_diffuse", New SimColor(rgba)), New SimFloatValue("generic_transparency", 1 - rgba(3))})
        End Function

        Public ReadOnly Property Count As Integer Implements Asset.Count
            Get
                Return CountOfItems
            End Get
        End Property

        Default Public ReadOnly Property Item(Index As Object) As AssetValue Implements Asset.Item
            Get
                Return ItemAt(CInt(Index))
            End Get
        End Property
    End Class

    Public NotInheritable Class SimProperty
        Implements [Property]
        Public Property Value As Object Implements [Property].Value
    End Class

    ''' <summary>Both the sets and their one set: it answers the part number only.</summary>
    Public NotInheritable Class SimPropertySets
        Implements PropertySets, PropertySet
        Private ReadOnly partNumber As String

        Public Sub New(partNumber As String)
            Me.partNumber = partNumber
        End Sub

        Private ReadOnly Property SetItem(Index As Object) As PropertySet Implements PropertySets.Item
            Get
                If Not Index.Equals("Design Tracking Properties") Then Throw New System.ArgumentException("no set " & Index.ToString())
                Return Me
            End Get
        End Property

        Private ReadOnly Property PropertyItem(Index As Object) As [Property] Implements PropertySet.Item
            Get
                If Not Index.Equals("Part Number") Then Throw New System.ArgumentException("no property " & Index.ToString())
                Return New SimProperty() With {.Value = partNumber}
            End Get
        End Property
    End Class

    ''' <summary>Mass data of a document or an occurrence. Reading it with the cache on dirties the file.</summary>
    Public NotInheritable Class SimMassProperties
        Implements MassProperties
        Private ReadOnly data As MassData
        Private ReadOnly document As SimDocument

        Public Sub New(data As MassData, overriddenMass As Double?, document As SimDocument)
            Me.data = If(overriddenMass.HasValue AndAlso data.Mass > 0, data.Scaled(overriddenMass.Value / data.Mass), data)
            MassOverridden = overriddenMass.HasValue
            Me.document = document
        End Sub

        Public ReadOnly Property MassOverridden As Boolean Implements MassProperties.MassOverridden
        Public Property CacheResultsOnCompute As Boolean = True Implements MassProperties.CacheResultsOnCompute

        Private Sub Read(member As String)
            World.Enter("MassProperties." & member, document.DisplayName)
            If CacheResultsOnCompute Then document.Dirty = True
        End Sub

        Public ReadOnly Property Mass As Double Implements MassProperties.Mass
            Get
                Read("Mass")
                Return data.Mass
            End Get
        End Property

        Public ReadOnly Property Volume As Double Implements MassProperties.Volume
            Get
                Read("Volume")
                Return data.Volume
            End Get
        End Property

        Public ReadOnly Property CenterOfMass As Point Implements MassProperties.CenterOfMass
            Get
                Read("CenterOfMass")
                Return New SimPoint(data.Center)
            End Get
        End Property

        Public Sub XYZMomentsOfInertia(ByRef Ixx As Double, ByRef Iyy As Double, ByRef Izz As Double, ByRef Ixy As Double,
                                       ByRef Iyz As Double, ByRef Ixz As Double) Implements MassProperties.XYZMomentsOfInertia
            Read("XYZMomentsOfInertia")
            Ixx = data.Tensor(0, 0)
            Iyy = data.Tensor(1, 1)
            Izz = data.Tensor(2, 2)
            Ixy = data.Tensor(0, 1)
            Iyz = data.Tensor(1, 2)
            Ixz = data.Tensor(0, 2)
        End Sub
    End Class

#If INVENTOR >= 2023 Then
    ''' <summary>
    ''' Mass data of one body. It is not a MassProperties. A late-bound call of its method leaves the arguments as they
    ''' were; Type.InvokeMember with a modifier fills them. Options: tensor "zeros" or "throws"; "late_binding": false.
    ''' </summary>
    Public NotInheritable Class SimBodyMassProperties
        Implements SurfaceBodyMassProperties, IDynamicMetaObjectProvider
        Private ReadOnly data As MassData
        Private ReadOnly bodyName As String
        Private ReadOnly tensorOption As String

        Public Sub New(data As MassData, bodyName As String, tensorOption As String)
            Me.data = data
            Me.bodyName = bodyName
            Me.tensorOption = tensorOption
        End Sub

        Public ReadOnly Property Mass As Double Implements SurfaceBodyMassProperties.Mass
            Get
                World.Enter("SurfaceBodyMassProperties.Mass", bodyName)
                Return data.Mass
            End Get
        End Property

        Public ReadOnly Property Volume As Double Implements SurfaceBodyMassProperties.Volume
            Get
                World.Enter("SurfaceBodyMassProperties.Volume", bodyName)
                Return data.Volume
            End Get
        End Property

        Public ReadOnly Property CenterOfMass As Point Implements SurfaceBodyMassProperties.CenterOfMass
            Get
                World.Enter("SurfaceBodyMassProperties.CenterOfMass", bodyName)
                Return New SimPoint(data.Center)
            End Get
        End Property

        ' The six-argument form stands for COM's optional seventh argument, which reflection cannot leave out.
        Public Sub XYZMomentsOfInertia(ByRef Ixx As Double, ByRef Iyy As Double, ByRef Izz As Double,
                                       ByRef Ixy As Double, ByRef Iyz As Double, ByRef Ixz As Double)
            World.Enter("SurfaceBodyMassProperties.XYZMomentsOfInertia", bodyName)
            If tensorOption = "throws" Then Throw New System.Runtime.InteropServices.COMException("DISP_E_UNKNOWNNAME", &H80020006)
            If tensorOption = "zeros" Then Return
            Ixx = data.Tensor(0, 0)
            Iyy = data.Tensor(1, 1)
            Izz = data.Tensor(2, 2)
            Ixy = data.Tensor(0, 1)
            Iyz = data.Tensor(1, 2)
            Ixz = data.Tensor(0, 2)
        End Sub

        Private Sub SevenArguments(ByRef Ixx As Double, ByRef Iyy As Double, ByRef Izz As Double,
                                   ByRef Ixy As Double, ByRef Iyz As Double, ByRef Ixz As Double,
                                   Optional ByRef OverriddenMass As Object = Nothing) Implements SurfaceBodyMassProperties.XYZMomentsOfInertia
            XYZMomentsOfInertia(Ixx, Iyy, Izz, Ixy, Iyz, Ixz)
        End Sub

        Public Function GetMetaObject(parameter As Expression) As DynamicMetaObject Implements IDynamicMetaObjectProvider.GetMetaObject
            Return New LateBinding(parameter, Me)
        End Function

        Private Shared Function Ignored() As Object
            Return Nothing
        End Function

        Private Shared Function Refused() As Object
            Throw New System.MissingMemberException("late binding on this object fails in this run time")
        End Function

        Private NotInheritable Class LateBinding
            Inherits DynamicMetaObject

            Public Sub New(expression As Expression, value As Object)
                MyBase.New(expression, BindingRestrictions.Empty, value)
            End Sub

            Public Overrides Function BindInvokeMember(binder As InvokeMemberBinder, args As DynamicMetaObject()) As DynamicMetaObject
                Dim member = ""
                If Not World.Current.Options.Flag("late_binding", True) Then member = "Refused"
                If member = "" AndAlso binder.Name = "XYZMomentsOfInertia" Then member = "Ignored"
                If member = "" Then Return binder.FallbackInvokeMember(Me, args)
                Dim method = GetType(SimBodyMassProperties).GetMethod(
                    member, System.Reflection.BindingFlags.NonPublic Or System.Reflection.BindingFlags.Static)
                Return New DynamicMetaObject(
                    System.Linq.Expressions.Expression.Call(method),
                    BindingRestrictions.GetTypeRestriction(Expression, GetType(SimBodyMassProperties)))
            End Function
        End Class
    End Class
#End If

    Public NotInheritable Class SimBody
        Implements SurfaceBody
        Public ReadOnly Solid As Solid
        Public ReadOnly Data As MassData
        Private ReadOnly rgba As Double()
        Private ReadOnly tensorOption As String

        Public Sub New(source As JsonElement, density As Double, color As Double())
            Name = source.Text("name")
            Visible = source.Flag("visible", True)
            IsSolid = source.Flag("solid", True)
            Solid = New Solid(source.Text("shape", "box"), source.Numbers("size"), source.PoseOf("pose"))
            Data = If(IsSolid, Solid.MassData(density), New MassData())
            rgba = If(source.Numbers("color"), color)
            tensorOption = source.Text("tensor")
        End Sub

        Public ReadOnly Property Name As String Implements SurfaceBody.Name
        Public ReadOnly Property Visible As Boolean Implements SurfaceBody.Visible
        Public ReadOnly Property IsSolid As Boolean Implements SurfaceBody.IsSolid

        Public ReadOnly Property Volume(PrecisionPercent As Double) As Double Implements SurfaceBody.Volume
            Get
                Return Data.Volume
            End Get
        End Property

        Public ReadOnly Property Appearance As Asset Implements SurfaceBody.Appearance
            Get
                World.Enter("SurfaceBody.Appearance", Name)
                Return SimAsset.Appearance(rgba)
            End Get
        End Property

#If INVENTOR >= 2022 Then
        Public ReadOnly Property PreciseRangeBox As Box Implements SurfaceBody.PreciseRangeBox
            Get
                Return New SimBox(Solid.Bounds({Solid}, 0))
            End Get
        End Property
#End If
#If INVENTOR >= 2023 Then
        Public ReadOnly Property MassProperties As SurfaceBodyMassProperties Implements SurfaceBody.MassProperties
            Get
                World.Enter("SurfaceBody.MassProperties", Name)
                If Not IsSolid Then Throw New System.Runtime.InteropServices.COMException("a surface has no mass", &H80004005)
                Return New SimBodyMassProperties(Data, Name, tensorOption)
            End Get
        End Property
#End If
    End Class

    Public NotInheritable Class SimBodies
        Inherits SimCollection(Of SurfaceBody)
        Implements SurfaceBodies

        Public Sub New(items As List(Of SurfaceBody))
            MyBase.New(items)
        End Sub

        Public ReadOnly Property Count As Integer Implements SurfaceBodies.Count
            Get
                Return CountOfItems
            End Get
        End Property

        Default Public ReadOnly Property Item(Index As Integer) As SurfaceBody Implements SurfaceBodies.Item
            Get
                Return ItemAt(Index)
            End Get
        End Property
    End Class

    Public NotInheritable Class SimFrame
        Implements UserCoordinateSystem
        Private ReadOnly pose As Pose

        Public Sub New(source As JsonElement)
            Name = source.Text("name")
            pose = source.PoseOf("pose")
        End Sub

        Public ReadOnly Property Name As String Implements UserCoordinateSystem.Name

        Public ReadOnly Property Transformation As Matrix Implements UserCoordinateSystem.Transformation
            Get
                Return New SimMatrix(pose)
            End Get
        End Property
    End Class

    Public NotInheritable Class SimFrames
        Inherits SimCollection(Of UserCoordinateSystem)
        Implements UserCoordinateSystems

        Public Sub New(items As List(Of UserCoordinateSystem))
            MyBase.New(items)
        End Sub

        Public ReadOnly Property Count As Integer Implements UserCoordinateSystems.Count
            Get
                Return CountOfItems
            End Get
        End Property

        Default Public ReadOnly Property Item(Index As Object) As UserCoordinateSystem Implements UserCoordinateSystems.Item
            Get
                Return ItemAt(CInt(Index))
            End Get
        End Property
    End Class

    ''' <summary>What a part and an assembly document have in common; it is its own component definition.</summary>
    Public MustInherit Class SimDocument
        Implements Document, ComponentDefinition
        Protected ReadOnly source As JsonElement
        Protected ReadOnly state As String
        Public ReadOnly FileName As String
        Public ReadOnly OverriddenMass As Double?

        Protected Sub New(fileName As String, state As String, source As JsonElement)
            Me.FileName = fileName
            Me.state = state
            Me.source = source
            Dim mass = source.Find("mass_override")
            If mass.HasValue Then OverriddenMass = mass.Value.GetDouble()
        End Sub

        ' State of the model that a mesh or a mass is read from, e.g. the poses of an assembly's own occurrences.
        Public MustOverride Function Data() As MassData
        Public MustOverride Function VisibleSolids() As List(Of Solid)
        Public MustOverride ReadOnly Property DocumentType As DocumentTypeEnum Implements Document.DocumentType
        Public MustOverride ReadOnly Property SurfaceBodies As SurfaceBodies

        Public Property Dirty As Boolean Implements Document.Dirty

        ''' <summary>An occurrence may leave it to its document ("default").</summary>
        Public ReadOnly Property BOMStructure As BOMStructureEnum
            Get
                Return StructureOf(source.Text("bom", "normal"))
            End Get
        End Property

        Public Shared Function StructureOf(name As String) As BOMStructureEnum
            Select Case name
                Case "normal" : Return BOMStructureEnum.kNormalBOMStructure
                Case "phantom" : Return BOMStructureEnum.kPhantomBOMStructure
                Case "reference" : Return BOMStructureEnum.kReferenceBOMStructure
                Case "purchased" : Return BOMStructureEnum.kPurchasedBOMStructure
                Case "inseparable" : Return BOMStructureEnum.kInseparableBOMStructure
                Case Else : Return BOMStructureEnum.kDefaultBOMStructure
            End Select
        End Function

        Public ReadOnly Property DisplayName As String Implements Document.DisplayName
            Get
                Return FileName
            End Get
        End Property

        Public ReadOnly Property FullFileName As String Implements Document.FullFileName
            Get
                If source.Flag("unsaved") Then Return ""
                Return System.IO.Path.Combine(World.Current.Folder, source.Text("subfolder"), FileName)
            End Get
        End Property

        Public ReadOnly Property FullDocumentName As String Implements Document.FullDocumentName
            Get
                Return If(state = "", FullFileName, FullFileName & "<" & state & ">")
            End Get
        End Property

        Public ReadOnly Property PropertySets As PropertySets Implements Document.PropertySets
            Get
                World.Enter("Document.PropertySets", FileName)
                Return New SimPropertySets(source.Text("part_number", FileName))
            End Get
        End Property

        Public Sub Update() Implements Document.Update
            World.Enter("Document.Update")
            World.Current.Assembly.Update()
        End Sub

        Public Sub Update2(Optional AcceptErrorsAndContinue As Boolean = True) Implements Document.Update2
            World.Enter("Document.Update2")
            World.Current.Assembly.Update()
        End Sub

        Public Sub SaveAs(FileName As String, SaveCopyAs As Boolean) Implements Document.SaveAs
            World.Enter("Document.SaveAs", Me.FileName)
            If Not SaveCopyAs Then Throw New System.InvalidOperationException("the rule saved the user's document under another name")
            StlWriter.Write(Me, FileName, 4)
        End Sub

        Public ReadOnly Property Document As Object Implements ComponentDefinition.Document
            Get
                World.Enter("ComponentDefinition.Document", FileName)
                Return Me
            End Get
        End Property

        Public ReadOnly Property RangeBox As Box
            Get
                World.Enter("ComponentDefinition.RangeBox", FileName)
                Return New SimBox(Solid.Bounds(VisibleSolids(), 0.2))
            End Get
        End Property

#If INVENTOR >= 2023 Then
        Public ReadOnly Property PreciseRangeBox As Box Implements ComponentDefinition.PreciseRangeBox
            Get
                World.Enter("ComponentDefinition.PreciseRangeBox", FileName)
                Return New SimBox(Solid.Bounds(VisibleSolids(), 0))
            End Get
        End Property
#End If

        Public ReadOnly Property MassProperties As MassProperties
            Get
                World.Enter("ComponentDefinition.MassProperties", FileName)
                Return New SimMassProperties(Data(), OverriddenMass, Me)
            End Get
        End Property

        Public ReadOnly Property UserCoordinateSystems As UserCoordinateSystems
            Get
                World.Enter("ComponentDefinition.UserCoordinateSystems", FileName)
                Dim frames As New List(Of UserCoordinateSystem)()
                For Each frame In source.Elements("frames")
                    frames.Add(New SimFrame(frame))
                Next
                Return New SimFrames(frames)
            End Get
        End Property

        ''' <summary>Mass data as Inventor has it: with the document's own override.</summary>
        Public Function EffectiveData() As MassData
            Dim own = Data()
            Return If(OverriddenMass.HasValue AndAlso own.Mass > 0, own.Scaled(OverriddenMass.Value / own.Mass), own)
        End Function
    End Class

    Public NotInheritable Class SimPartDocument
        Inherits SimDocument
        Implements PartDocument, PartComponentDefinition
        Private ReadOnly bodyList As New List(Of SimBody)()
        Private ReadOnly materialName As String
        Public ReadOnly Rgba As Double()

        Public Sub New(fileName As String, state As String, source As JsonElement)
            MyBase.New(fileName, state, source)
            Dim material = source.Find("material")
            materialName = If(material.HasValue, material.Value.Text("name"), "Generic")
            Dim density = If(material.HasValue, material.Value.Number("density"), 0.001)
            Rgba = source.Numbers("color")
            Dim bodies = source.Elements("bodies")
            Dim states = source.Find("states")
            If state <> "" Then bodies = states.Value.GetProperty(state).Elements("bodies")
            For Each body In bodies
                bodyList.Add(New SimBody(body, density, Rgba))
            Next
        End Sub

        Private ReadOnly Property OwnRangeBox As Box Implements PartComponentDefinition.RangeBox
            Get
                Return RangeBox
            End Get
        End Property

        Private ReadOnly Property OwnBodies As SurfaceBodies Implements PartComponentDefinition.SurfaceBodies
            Get
                Return SurfaceBodies
            End Get
        End Property

        Private ReadOnly Property OwnMass As MassProperties Implements PartComponentDefinition.MassProperties
            Get
                Return MassProperties
            End Get
        End Property

        Private ReadOnly Property OwnFrames As UserCoordinateSystems Implements PartComponentDefinition.UserCoordinateSystems
            Get
                Return UserCoordinateSystems
            End Get
        End Property

        Public ReadOnly Property ComponentDefinition As PartComponentDefinition Implements PartDocument.ComponentDefinition
            Get
                Return Me
            End Get
        End Property

        Public ReadOnly Property ActiveMaterial As Asset Implements PartDocument.ActiveMaterial
            Get
                World.Enter("PartDocument.ActiveMaterial", FileName)
                Return New SimAsset(materialName, New List(Of AssetValue)())
            End Get
        End Property

        Public Overrides ReadOnly Property DocumentType As DocumentTypeEnum
            Get
                Return DocumentTypeEnum.kPartDocumentObject
            End Get
        End Property

        Public Overrides ReadOnly Property SurfaceBodies As SurfaceBodies
            Get
                World.Enter("ComponentDefinition.SurfaceBodies", FileName)
                Dim items As New List(Of SurfaceBody)()
                items.AddRange(bodyList)
                Return New SimBodies(items)
            End Get
        End Property

        ''' <summary>Hidden bodies are counted.</summary>
        Public Overrides Function Data() As MassData
            Dim parts As New List(Of MassData)()
            For Each body In bodyList
                If body.IsSolid Then parts.Add(body.Data)
            Next
            Return MassData.Combined(parts)
        End Function

        Public Overrides Function VisibleSolids() As List(Of Solid)
            Dim result As New List(Of Solid)()
            For Each body In bodyList
                If body.Visible AndAlso body.IsSolid Then result.Add(body.Solid)
            Next
            Return result
        End Function
    End Class
End Namespace
