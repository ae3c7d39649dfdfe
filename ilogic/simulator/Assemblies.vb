' Assembly documents and what stands in them: occurrences, joints, constraints.

Imports System.Collections
Imports System.Collections.Generic
Imports System.Globalization
Imports System.Text.Json
Imports Inventor

Namespace Global.Simulator
    ''' <summary>
    ''' An occurrence in the tree of one assembly. Below the first level it is a proxy: only then it has
    ''' ContainingOccurrence. Suppressed ones answer their name and Suppressed; everything else throws.
    ''' </summary>
    Public Class SimOccurrence
        Implements ComponentOccurrence
        Public ReadOnly Source As JsonElement
        Public ReadOnly Parent As SimOccurrence
        Public ReadOnly Children As New List(Of SimOccurrence)()
        Public ReadOnly Model As SimDocument
        ''' <summary>Where it is; what Transformation shows may lag behind.</summary>
        Public Placed As Pose
        Public Shown As Pose
        Public ReadOnly InParent As Pose
        Public Lags As Boolean

        Protected Sub New(source As JsonElement, parent As SimOccurrence, model As SimDocument)
            Me.Source = source
            Me.Parent = parent
            Me.Model = model
            InParent = source.PoseOf("pose")
            Placed = If(parent Is Nothing, InParent, parent.Placed * InParent)
            Shown = Placed
        End Sub

        Public Shared Function Create(source As JsonElement, parent As SimOccurrence, documents As Documents) As SimOccurrence
            Dim model As SimDocument = Nothing
            If Not source.Flag("virtual") Then model = documents.Find(source.Text("document"), source.Text("state"))
            Dim result = If(parent Is Nothing, New SimOccurrence(source, parent, model), New SimOccurrenceProxy(source, parent, model))
            Dim assembly = TryCast(model, SimAssemblyDocument)
            If assembly IsNot Nothing Then
                For Each child In assembly.OccurrenceSources
                    result.Children.Add(Create(child, result, documents))
                Next
            End If
            Return result
        End Function

        ''' <summary>It moves by itself: its parents are all flexible.</summary>
        Public ReadOnly Property IsUnit As Boolean
            Get
                If IsFlexible Then Return False
                Dim above = Parent
                While above IsNot Nothing
                    If Not above.IsFlexible Then Return False
                    above = above.Parent
                End While
                Return True
            End Get
        End Property

        Public ReadOnly Property IsFlexible As Boolean
            Get
                Return Source.Flag("flexible")
            End Get
        End Property

        ''' <summary>It stands still: a sub-assembly's grounded part does so only where the sub-assembly does.</summary>
        Public ReadOnly Property IsGround As Boolean
            Get
                Return Source.Flag("grounded") AndAlso (Parent Is Nothing OrElse Parent.IsGround)
            End Get
        End Property

        ''' <summary>The unit that carries it.</summary>
        Public ReadOnly Property Unit As SimOccurrence
            Get
                Return If(IsUnit OrElse Parent Is Nothing, Me, Parent.Unit)
            End Get
        End Property

        Public Function ShownPose() As Pose
            Return If(IsUnit OrElse Parent Is Nothing OrElse Parent.IsFlexible, Shown, Parent.ShownPose() * InParent)
        End Function

        Private Sub Enter(member As String)
            World.Enter("ComponentOccurrence." & member, Name)
            If Suppressed Then
                Throw New System.Runtime.InteropServices.COMException(member & " of a suppressed occurrence", &H80004005)
            End If
        End Sub

        Public ReadOnly Property Name As String Implements ComponentOccurrence.Name
            Get
                Return Source.Text("name")
            End Get
        End Property

        Public ReadOnly Property Type As ObjectTypeEnum Implements ComponentOccurrence.Type
            Get
                Return If(Parent Is Nothing, ObjectTypeEnum.kComponentOccurrenceObject, ObjectTypeEnum.kComponentOccurrenceProxyObject)
            End Get
        End Property

        Public ReadOnly Property Suppressed As Boolean Implements ComponentOccurrence.Suppressed
            Get
                Return Source.Flag("suppressed")
            End Get
        End Property

        Public ReadOnly Property ParentOccurrence As ComponentOccurrence Implements ComponentOccurrence.ParentOccurrence
            Get
                Return Parent
            End Get
        End Property

        Public ReadOnly Property ReferencedDocumentDescriptor As DocumentDescriptor Implements ComponentOccurrence.ReferencedDocumentDescriptor
            Get
                World.Enter("ComponentOccurrence.ReferencedDocumentDescriptor", Name)
                Return New SimDescriptor(Model.FullDocumentName)
            End Get
        End Property

        Public ReadOnly Property Definition As ComponentDefinition Implements ComponentOccurrence.Definition
            Get
                Enter("Definition")
                If Model Is Nothing Then Return New SimVirtualDefinition()
                Return Model
            End Get
        End Property

        Public ReadOnly Property DefinitionDocumentType As DocumentTypeEnum Implements ComponentOccurrence.DefinitionDocumentType
            Get
                Enter("DefinitionDocumentType")
                Return If(Model Is Nothing, DocumentTypeEnum.kUnknownDocumentObject, Model.DocumentType)
            End Get
        End Property

        Public ReadOnly Property SubOccurrences As ComponentOccurrencesEnumerator Implements ComponentOccurrence.SubOccurrences
            Get
                Enter("SubOccurrences")
                Return New SimOccurrences(Children)
            End Get
        End Property

        Public ReadOnly Property Transformation As Matrix Implements ComponentOccurrence.Transformation
            Get
                Enter("Transformation")
                Return New SimMatrix(World.Current.Shaken(ShownPose()))
            End Get
        End Property

        Public ReadOnly Property Grounded As Boolean Implements ComponentOccurrence.Grounded
            Get
                Enter("Grounded")
                Return Source.Flag("grounded")
            End Get
        End Property

        Public ReadOnly Property Visible As Boolean Implements ComponentOccurrence.Visible
            Get
                Enter("Visible")
                Return Source.Flag("visible", True)
            End Get
        End Property

        Public ReadOnly Property Excluded As Boolean Implements ComponentOccurrence.Excluded
            Get
                Enter("Excluded")
                Return Source.Flag("excluded")
            End Get
        End Property

        Public ReadOnly Property Flexible As Boolean Implements ComponentOccurrence.Flexible
            Get
                Enter("Flexible")
                If Not TypeOf Model Is SimAssemblyDocument Then
                    Throw New System.Runtime.InteropServices.COMException("Flexible of a part", &H80004005)
                End If
                Return IsFlexible
            End Get
        End Property

        Public ReadOnly Property BOMStructure As BOMStructureEnum Implements ComponentOccurrence.BOMStructure
            Get
                Enter("BOMStructure")
                Return SimDocument.StructureOf(Source.Text("bom", "normal"))
            End Get
        End Property

        Public ReadOnly Property Appearance As Asset Implements ComponentOccurrence.Appearance
            Get
                Enter("Appearance")
                Dim part = TryCast(Model, SimPartDocument)
                Return SimAsset.Appearance(If(Source.Numbers("color"), part?.Rgba))
            End Get
        End Property

        Public ReadOnly Property MassProperties As MassProperties Implements ComponentOccurrence.MassProperties
            Get
                Enter("MassProperties")
                Return New SimMassProperties(Model.EffectiveData().Placed(ShownPose()), Nothing, Model)
            End Get
        End Property

        Public ReadOnly Property RangeBox As Box Implements ComponentOccurrence.RangeBox
            Get
                Enter("RangeBox")
                Return New SimBox(Solid.Bounds(PlacedSolids(), 0.2))
            End Get
        End Property

        Private Function PlacedSolids() As List(Of Solid)
            Dim result As New List(Of Solid)()
            For Each solid In Model.VisibleSolids()
                result.Add(solid.Moved(ShownPose()))
            Next
            Return result
        End Function

#If INVENTOR >= 2022 Then
        Public ReadOnly Property ActiveModelState As String Implements ComponentOccurrence.ActiveModelState
            Get
                Enter("ActiveModelState")
                Return Source.Text("state", "[Primary]")
            End Get
        End Property
#End If
#If INVENTOR >= 2023 Then
        Public ReadOnly Property PreciseRangeBox As Box Implements ComponentOccurrence.PreciseRangeBox
            Get
                Enter("PreciseRangeBox")
                Return New SimBox(Solid.Bounds(PlacedSolids(), 0))
            End Get
        End Property
#End If
    End Class

    Public NotInheritable Class SimDescriptor
        Implements DocumentDescriptor
        Public ReadOnly Property FullDocumentName As String Implements DocumentDescriptor.FullDocumentName

        Public Sub New(fullDocumentName As String)
            Me.FullDocumentName = fullDocumentName
        End Sub
    End Class

    Public NotInheritable Class SimOccurrenceProxy
        Inherits SimOccurrence
        Implements ComponentOccurrenceProxy

        Public Sub New(source As JsonElement, parent As SimOccurrence, model As SimDocument)
            MyBase.New(source, parent, model)
        End Sub

        Public ReadOnly Property ContainingOccurrence As ComponentOccurrence Implements ComponentOccurrenceProxy.ContainingOccurrence
            Get
                Return Parent
            End Get
        End Property

        Public ReadOnly Property NativeObject As ComponentOccurrence Implements ComponentOccurrenceProxy.NativeObject
            Get
                Return Me
            End Get
        End Property
    End Class

    Public NotInheritable Class SimOccurrences
        Inherits SimCollection(Of SimOccurrence)
        Implements ComponentOccurrences, ComponentOccurrencesEnumerator

        Public Sub New(items As List(Of SimOccurrence))
            MyBase.New(items)
        End Sub

        Public ReadOnly Property Count As Integer Implements ComponentOccurrences.Count, ComponentOccurrencesEnumerator.Count
            Get
                Return CountOfItems
            End Get
        End Property

        Default Public ReadOnly Property Item(Index As Integer) As ComponentOccurrence Implements ComponentOccurrences.Item, ComponentOccurrencesEnumerator.Item
            Get
                Return ItemAt(Index)
            End Get
        End Property
    End Class

    ''' <summary>A bill-of-materials entry without geometry.</summary>
    Public NotInheritable Class SimVirtualDefinition
        Implements VirtualComponentDefinition

        Private Shared Function None(Of T)() As T
            Throw New System.Runtime.InteropServices.COMException("a virtual component has none", &H80004005)
        End Function

        Public ReadOnly Property Document As Object Implements ComponentDefinition.Document
            Get
                Return None(Of Object)()
            End Get
        End Property

#If INVENTOR >= 2023 Then
        Public ReadOnly Property PreciseRangeBox As Box Implements ComponentDefinition.PreciseRangeBox
            Get
                Return None(Of Box)()
            End Get
        End Property
#End If
    End Class

    ''' <summary>A parameter; a value that is set replaces the expression.</summary>
    Public NotInheritable Class SimParameter
        Implements ModelParameter
        Private ReadOnly quantityUnit As String
        Private ReadOnly owner As String
        Private amount As Double
        Private text As String

        Public Sub New(owner As String, name As String, unit As String, amount As Double, expression As String)
            Me.owner = owner
            Me.Name = name
            quantityUnit = unit
            Load(amount, expression)
        End Sub

        Public ReadOnly Property Name As String Implements ModelParameter.Name

        ''' <summary>Sets value and expression without a change of the model.</summary>
        Public Sub Load(amount As Double, Optional expression As String = "")
            Me.amount = amount
            text = If(expression <> "", expression, amount.ToString("R", CultureInfo.InvariantCulture) & " " & quantityUnit)
        End Sub

        Public Property Value As Object Implements ModelParameter.Value
            Get
                World.Enter("ModelParameter.Value", owner)
                Return amount
            End Get
            Set(value As Object)
                World.Enter("ModelParameter.Value=", owner)
                World.Changed("parameter of " & owner)
                Load(CDbl(value))
            End Set
        End Property

        Public ReadOnly Property Raw As Double
            Get
                Return amount
            End Get
        End Property

        Public ReadOnly Property RawExpression As String
            Get
                Return text
            End Get
        End Property

        Public ReadOnly Property ModelValue As Object Implements ModelParameter.ModelValue
            Get
                Return amount
            End Get
        End Property

        Public Property Expression As String Implements ModelParameter.Expression
            Get
                World.Enter("ModelParameter.Expression", owner)
                Return text
            End Get
            Set(value As String)
                World.Enter("ModelParameter.Expression=", owner)
                World.Changed("expression of " & owner)
                Load(Evaluate(value), value)
            End Set
        End Property

        ''' <summary>The value of "30 deg", "0.1 rad", "4 cm", "12 mm" or a sum of those; a decimal comma is refused.</summary>
        Public Shared Function Evaluate(expression As String) As Double
            Dim total = 0.0
            For Each term In expression.Split("+"c)
                Dim words = term.Trim().Split(" "c)
                Dim factor = 1.0
                If words.Length > 1 Then
                    Select Case words(1)
                        Case "deg" : factor = System.Math.PI / 180
                        Case "mm" : factor = 0.1
                        Case "m" : factor = 100
                        Case "rad", "cm", "ul" : factor = 1
                        Case Else : Throw New System.ArgumentException("unit " & words(1))
                    End Select
                End If
                Dim number As Double
                If Not Double.TryParse(words(0), NumberStyles.Float, CultureInfo.InvariantCulture, number) Then
                    Throw New System.ArgumentException("expression " & expression)
                End If
                total += number * factor
            Next
            Return total
        End Function
    End Class

    ''' <summary>Geometry of a joint's origin: a face, in the part's own frame although the joint is the assembly's.</summary>
    Public Class SimFace
        Implements Face, Cylinder, Plane, GeometryIntent
        Private ReadOnly frame As Pose
        Private ReadOnly axis As Integer

        Public Sub New(frame As Pose, axis As Integer)
            Me.frame = frame
            Me.axis = axis
        End Sub

        Private Function Column(index As Integer) As SimPoint
            Return New SimPoint({frame(0, index), frame(1, index), frame(2, index)})
        End Function

        Private ReadOnly Property IntentGeometry As Object Implements GeometryIntent.Geometry
            Get
                World.Enter("GeometryIntent.Geometry")
                Return Me
            End Get
        End Property

        Private ReadOnly Property IntentPoint As Point Implements GeometryIntent.Point
            Get
                Return Column(3)
            End Get
        End Property

        Public ReadOnly Property Geometry As Object Implements Face.Geometry
            Get
                Return Me
            End Get
        End Property

        Public ReadOnly Property BasePoint As Point Implements Cylinder.BasePoint
            Get
                Return Column(3)
            End Get
        End Property

        Public ReadOnly Property AxisVector As UnitVector Implements Cylinder.AxisVector
            Get
                Return Column(axis)
            End Get
        End Property

        Public ReadOnly Property RootPoint As Point Implements Plane.RootPoint
            Get
                Return Column(3)
            End Get
        End Property

        Public ReadOnly Property Normal As UnitVector Implements Plane.Normal
            Get
                Return Column(axis)
            End Get
        End Property
    End Class

    ''' <summary>A ball's face, which has a centre and no axis.</summary>
    Public NotInheritable Class SimBall
        Implements Face, Sphere, GeometryIntent
        Private ReadOnly Property IntentGeometry As Object Implements GeometryIntent.Geometry, Face.Geometry
        Private ReadOnly Property IntentPoint As Point Implements GeometryIntent.Point
        Public ReadOnly Property CenterPoint As Point Implements Sphere.CenterPoint

        Public Sub New(frame As Pose)
            IntentGeometry = Me
            CenterPoint = New SimPoint({frame(0, 3), frame(1, 3), frame(2, 3)})
            IntentPoint = CenterPoint
        End Sub

        Public ReadOnly Property Geometry As Object
            Get
                Return Me
            End Get
        End Property
    End Class

    ''' <summary>The round edge of a hole.</summary>
    Public NotInheritable Class SimRim
        Implements Inventor.Edge, Circle, GeometryIntent
        Private ReadOnly Property IntentGeometry As Object Implements GeometryIntent.Geometry
        Private ReadOnly Property IntentPoint As Point Implements GeometryIntent.Point
        Public ReadOnly Property Geometry As Object Implements Inventor.Edge.Geometry
        Public ReadOnly Property Center As Point Implements Circle.Center
        Public ReadOnly Property Normal As UnitVector Implements Circle.Normal

        Public Sub New(frame As Pose)
            IntentGeometry = Me
            Geometry = Me
            Center = New SimPoint({frame(0, 3), frame(1, 3), frame(2, 3)})
            IntentPoint = Center
            Normal = New SimPoint({frame(0, 2), frame(1, 2), frame(2, 2)})
        End Sub
    End Class

    ''' <summary>The same as a proxy: in assembly coordinates.</summary>
    Public NotInheritable Class SimFaceProxy
        Inherits SimFace
        Implements FaceProxy
        Public ReadOnly Property ContainingOccurrence As ComponentOccurrence Implements FaceProxy.ContainingOccurrence

        Public Sub New(frame As Pose, axis As Integer, occurrence As SimOccurrence)
            MyBase.New(frame, axis)
            ContainingOccurrence = occurrence
        End Sub
    End Class

    ''' <summary>A joint; its own definition and its own drive settings.</summary>
    Public NotInheritable Class SimJoint
        Implements AssemblyJoint, AssemblyJointDefinition, DriveSettings
        Public ReadOnly Source As JsonElement
        Public ReadOnly Kind As AssemblyJointTypeEnum
        Public ReadOnly One As SimOccurrence
        Public ReadOnly Two As SimOccurrence
        Public ReadOnly FrameOne As Pose
        Public ReadOnly FrameTwo As Pose
        Public ReadOnly Angular As SimParameter
        Public ReadOnly Linear As SimParameter
        ' The values at which the parts really stand.
        Public ActualAngular As Double
        Public ActualLinear As Double
        Public Health As HealthStatusEnum
        Public IsSuppressed As Boolean
        Public IsLocked As Boolean
        Public IsProtected As Boolean
        Public DriveStart As String
        Public DriveEnd As String
        Public DriveKind As DriveTypeEnum
        Private jointName As String

        Public Sub New(source As JsonElement, occurrences As List(Of SimOccurrence), number As Integer)
            Me.Source = source
            jointName = source.Text("name")
            Kind = KindOf(source.Text("type"))
            One = AssemblyModel.Named(occurrences, source.Text("one"))
            Two = AssemblyModel.Named(occurrences, source.Text("two"))
            ActualAngular = source.Number("angular")
            ActualLinear = source.Number("linear")
            Dim frame = source.PoseOf("frame")
            FrameOne = PlacedOf(One).Inverse() * frame
            FrameTwo = PlacedOf(Two).Inverse() * frame * Pose.Screw(ActualAngular, ActualLinear).Inverse()
            Angular = New SimParameter(jointName, "d" & (2 * number), "rad", ActualAngular, source.Text("angular_expression"))
            Linear = New SimParameter(jointName, "d" & (2 * number + 1), "cm", ActualLinear, source.Text("linear_expression"))
            Health = CType(CInt(source.Number("health", HealthStatusEnum.kUpToDateHealth)), HealthStatusEnum)
            IsSuppressed = source.Flag("suppressed")
            IsLocked = source.Flag("locked")
            IsProtected = source.Flag("protected")
            DriveStart = "0 deg"
            DriveEnd = "10 deg"
            DriveKind = If(Kind = AssemblyJointTypeEnum.kSlideJointType, DriveTypeEnum.kDriveLinearPositionType, DriveTypeEnum.kDriveAngularPositionType)
        End Sub

        Private Shared Function PlacedOf(occurrence As SimOccurrence) As Pose
            Return If(occurrence Is Nothing, Pose.Identity, occurrence.Unit.Placed)
        End Function

        Private Shared Function KindOf(name As String) As AssemblyJointTypeEnum
            Select Case name
                Case "rigid" : Return AssemblyJointTypeEnum.kRigidJointType
                Case "rotational" : Return AssemblyJointTypeEnum.kRotationalJointType
                Case "slide" : Return AssemblyJointTypeEnum.kSlideJointType
                Case "cylindrical" : Return AssemblyJointTypeEnum.kCylindricalJointType
                Case "planar" : Return AssemblyJointTypeEnum.kPlanarJointType
                Case "ball" : Return AssemblyJointTypeEnum.kBallJointType
                Case Else : Throw New System.ArgumentException("joint type " & name)
            End Select
        End Function

        Public ReadOnly Property Turns As Boolean
            Get
                Return Kind = AssemblyJointTypeEnum.kRotationalJointType OrElse Kind = AssemblyJointTypeEnum.kCylindricalJointType
            End Get
        End Property

        Public ReadOnly Property Slides As Boolean
            Get
                Return Kind = AssemblyJointTypeEnum.kSlideJointType OrElse Kind = AssemblyJointTypeEnum.kCylindricalJointType
            End Get
        End Property

        Public ReadOnly Property Wanted As Pose
            Get
                Return Pose.Screw(If(Turns, Angular.Raw, ActualAngular), If(Slides, Linear.Raw, ActualLinear))
            End Get
        End Property

        Public ReadOnly Property ValueChanged As Boolean
            Get
                Return (Turns AndAlso Angular.Raw <> ActualAngular) OrElse (Slides AndAlso Linear.Raw <> ActualLinear)
            End Get
        End Property

        ''' <summary>Limits are kept as they are stored; the smaller one may be the end.</summary>
        Public Function WithinLimits(angle As Double, travel As Double) As Boolean
            Const Slack As Double = 0.000000001
            Dim turn = Source.Numbers("angular_limits")
            If Turns AndAlso turn IsNot Nothing Then
                If angle < System.Math.Min(turn(0), turn(1)) - Slack OrElse angle > System.Math.Max(turn(0), turn(1)) + Slack Then Return False
            End If
            Dim slide = Source.Numbers("linear_limits")
            If Slides AndAlso slide IsNot Nothing Then
                Dim low = slide(0), high = slide(1)
                If low > high Then
                    low = slide(1)
                    high = slide(0)
                End If
                If travel < low - Slack OrElse travel > high + Slack Then Return False
            End If
            Return True
        End Function

        Private Shared Sub Enter(member As String, name As String)
            World.Enter("AssemblyJoint." & member, name)
        End Sub

        Public ReadOnly Property Type As ObjectTypeEnum Implements AssemblyJoint.Type
            Get
                Return ObjectTypeEnum.kAssemblyJointObject
            End Get
        End Property

        Public Property Name As String Implements AssemblyJoint.Name
            Get
                Return jointName
            End Get
            Set(value As String)
                jointName = value
                World.Changed("name of " & value)
            End Set
        End Property

        Public Property Definition As AssemblyJointDefinition Implements AssemblyJoint.Definition
            Get
                Enter("Definition", jointName)
                Return Me
            End Get
            Set(value As AssemblyJointDefinition)
                Throw New System.NotSupportedException()
            End Set
        End Property

        Public ReadOnly Property OccurrenceOne As ComponentOccurrence Implements AssemblyJoint.OccurrenceOne, AssemblyJoint.AffectedOccurrenceOne
            Get
                Enter("OccurrenceOne", jointName)
                Return One
            End Get
        End Property

        Public ReadOnly Property OccurrenceTwo As ComponentOccurrence Implements AssemblyJoint.OccurrenceTwo, AssemblyJoint.AffectedOccurrenceTwo
            Get
                Enter("OccurrenceTwo", jointName)
                Return Two
            End Get
        End Property

        Public Property Suppressed As Boolean Implements AssemblyJoint.Suppressed
            Get
                Return IsSuppressed
            End Get
            Set(value As Boolean)
                Enter("Suppressed=", jointName)
                World.Changed("suppression of " & jointName)
                IsSuppressed = value
            End Set
        End Property

        Public Property Locked As Boolean Implements AssemblyJoint.Locked
            Get
                Return IsLocked
            End Get
            Set(value As Boolean)
                Enter("Locked=", jointName)
                World.Changed("lock of " & jointName)
                IsLocked = value
            End Set
        End Property

        Public Property [Protected] As Boolean Implements AssemblyJoint.Protected
            Get
                Return IsProtected
            End Get
            Set(value As Boolean)
                Enter("Protected=", jointName)
                World.Changed("protection of " & jointName)
                IsProtected = value
            End Set
        End Property

        Public ReadOnly Property HealthStatus As HealthStatusEnum Implements AssemblyJoint.HealthStatus
            Get
                Return If(IsSuppressed, HealthStatusEnum.kSuppressedHealth, Health)
            End Get
        End Property

        Public ReadOnly Property DriveSettings As DriveSettings Implements AssemblyJoint.DriveSettings
            Get
                Enter("DriveSettings", jointName)
                Return Me
            End Get
        End Property

        Public ReadOnly Property JointType As AssemblyJointTypeEnum Implements AssemblyJointDefinition.JointType
            Get
                Return Kind
            End Get
        End Property

        ' A hint that lies: a slider's face normal is across its travel, and the direction may be turned round.
        Public ReadOnly Property OriginOne As GeometryIntent Implements AssemblyJointDefinition.OriginOne
            Get
                If World.Current.Options.Flag("proxy_faces") Then Return New SimFaceProxy(One.Unit.Placed * FrameOne, If(Turns, 2, 0), One)
                If Kind = AssemblyJointTypeEnum.kBallJointType Then Return New SimBall(FrameOne)
                If Source.Flag("on_an_edge") Then Return New SimRim(FrameOne)
                Return New SimFace(FrameOne, If(Turns OrElse Kind = AssemblyJointTypeEnum.kPlanarJointType, 2, 0))
            End Get
        End Property

        Public ReadOnly Property OriginTwo As GeometryIntent Implements AssemblyJointDefinition.OriginTwo
            Get
                Return New SimFace(FrameTwo, If(Turns, 2, 0))
            End Get
        End Property

        ''' <summary>A slider answers too, with 0.</summary>
        Public Property AngularPosition As Object Implements AssemblyJointDefinition.AngularPosition
            Get
                Enter("AngularPosition", jointName)
                If Source.Flag("no_position") Then Return Nothing
                Return Angular
            End Get
            Set(value As Object)
                Throw New System.NotSupportedException()
            End Set
        End Property

        Public Property LinearPosition As Object Implements AssemblyJointDefinition.LinearPosition
            Get
                Enter("LinearPosition", jointName)
                If Source.Flag("no_position") Then Return Nothing
                Return Linear
            End Get
            Set(value As Object)
                Throw New System.NotSupportedException()
            End Set
        End Property

        Public ReadOnly Property HasAngularPositionLimits As Boolean Implements AssemblyJointDefinition.HasAngularPositionLimits
            Get
                Return Source.Find("angular_limits").HasValue
            End Get
        End Property

        Private Function Limit(field As String, index As Integer, unit As String) As Object
            Dim values = Source.Numbers(field)
            If values Is Nothing OrElse Double.IsNaN(values(index)) Then Return Nothing
            Return New SimParameter(jointName, "d" & (100 + index), unit, values(index), "")
        End Function

        Public ReadOnly Property AngularPositionStartLimit As Object Implements AssemblyJointDefinition.AngularPositionStartLimit
            Get
                Return Limit("angular_limits", 0, "rad")
            End Get
        End Property

        Public ReadOnly Property AngularPositionEndLimit As Object Implements AssemblyJointDefinition.AngularPositionEndLimit
            Get
                Return Limit("angular_limits", 1, "rad")
            End Get
        End Property

        Public ReadOnly Property HasLinearPositionStartLimit As Boolean Implements AssemblyJointDefinition.HasLinearPositionStartLimit
            Get
                Return Limit("linear_limits", 0, "cm") IsNot Nothing
            End Get
        End Property

        Public ReadOnly Property HasLinearPositionEndLimit As Boolean Implements AssemblyJointDefinition.HasLinearPositionEndLimit
            Get
                Return Limit("linear_limits", 1, "cm") IsNot Nothing
            End Get
        End Property

        Public ReadOnly Property LinearPositionStartLimit As Object Implements AssemblyJointDefinition.LinearPositionStartLimit
            Get
                Return Limit("linear_limits", 0, "cm")
            End Get
        End Property

        Public ReadOnly Property LinearPositionEndLimit As Object Implements AssemblyJointDefinition.LinearPositionEndLimit
            Get
                Return Limit("linear_limits", 1, "cm")
            End Get
        End Property

        Public Property DriveType As DriveTypeEnum Implements DriveSettings.DriveType
            Get
                Return DriveKind
            End Get
            Set(value As DriveTypeEnum)
                World.Changed("drive type of " & jointName)
                DriveKind = value
            End Set
        End Property

        Public Property StartValue As String Implements DriveSettings.StartValue
            Get
                Return DriveStart
            End Get
            Set(value As String)
                Enter("StartValue=", jointName)
                World.Changed("drive start of " & jointName)
                SimParameter.Evaluate(value)
                DriveStart = value
            End Set
        End Property

        Public Property EndValue As String Implements DriveSettings.EndValue
            Get
                Return DriveEnd
            End Get
            Set(value As String)
                World.Changed("drive end of " & jointName)
                SimParameter.Evaluate(value)
                DriveEnd = value
            End Set
        End Property

        Public Sub GoToStart() Implements DriveSettings.GoToStart
            Enter("GoToStart", jointName)
            World.Changed("drive of " & jointName)
            Dim parameter = If(DriveKind = DriveTypeEnum.kDriveLinearPositionType, Linear, Angular)
            Dim before = parameter.Raw
            parameter.Load(SimParameter.Evaluate(DriveStart))
            If Not World.Current.Assembly.Drive(Me) Then parameter.Load(before)
        End Sub
    End Class

    Public NotInheritable Class SimJoints
        Inherits SimCollection(Of AssemblyJoint)
        Implements AssemblyJoints

        Public Sub New(items As List(Of AssemblyJoint))
            MyBase.New(items)
        End Sub

        Public ReadOnly Property Count As Integer Implements AssemblyJoints.Count
            Get
                Return CountOfItems
            End Get
        End Property

        Default Public ReadOnly Property Item(Index As Object) As AssemblyJoint Implements AssemblyJoints.Item
            Get
                Return ItemAt(CInt(Index))
            End Get
        End Property
    End Class

    Public Class SimConstraint
        Implements AssemblyConstraint
        Public ReadOnly Source As JsonElement
        Public ReadOnly One As SimOccurrence
        Public ReadOnly Two As SimOccurrence
        ''' <summary>Pose of the second in the first while it holds; Nothing for a motion constraint.</summary>
        Public ReadOnly Held As Pose
        Public IsSuppressed As Boolean

        Public Sub New(source As JsonElement, occurrences As List(Of SimOccurrence), holds As Boolean)
            Me.Source = source
            One = AssemblyModel.Named(occurrences, source.Text("one"))
            Two = AssemblyModel.Named(occurrences, source.Text("two"))
            IsSuppressed = source.Flag("suppressed")
            If holds Then Held = One.Unit.Placed.Inverse() * Two.Unit.Placed
        End Sub

        Public ReadOnly Property Name As String Implements AssemblyConstraint.Name
            Get
                Return Source.Text("name")
            End Get
        End Property

        Public ReadOnly Property OccurrenceOne As ComponentOccurrence Implements AssemblyConstraint.OccurrenceOne
            Get
                World.Enter("AssemblyConstraint.OccurrenceOne", Name)
                Return One
            End Get
        End Property

        Public ReadOnly Property OccurrenceTwo As ComponentOccurrence Implements AssemblyConstraint.OccurrenceTwo
            Get
                Return Two
            End Get
        End Property

        Public Property Suppressed As Boolean Implements AssemblyConstraint.Suppressed
            Get
                Return IsSuppressed
            End Get
            Set(value As Boolean)
                World.Enter("AssemblyConstraint.Suppressed=", Name)
                World.Changed("suppression of " & Name)
                IsSuppressed = value
            End Set
        End Property

        Public ReadOnly Property HealthStatus As HealthStatusEnum Implements AssemblyConstraint.HealthStatus
            Get
                Return If(IsSuppressed, HealthStatusEnum.kSuppressedHealth, HealthStatusEnum.kUpToDateHealth)
            End Get
        End Property
    End Class

    Public NotInheritable Class SimMotionConstraint
        Inherits SimConstraint
        Implements RotateRotateConstraint

        Public Sub New(source As JsonElement, occurrences As List(Of SimOccurrence))
            MyBase.New(source, occurrences, False)
        End Sub

        Public ReadOnly Property Ratio As ModelParameter Implements RotateRotateConstraint.Ratio
            Get
                Return New SimParameter(Name, "d200", "ul", Source.Number("ratio"), "")
            End Get
        End Property

        Public ReadOnly Property ForwardDirection As Boolean Implements RotateRotateConstraint.ForwardDirection
            Get
                Return Source.Flag("forward")
            End Get
        End Property
    End Class

    Public NotInheritable Class SimRackConstraint
        Inherits SimConstraint
        Implements RotateTranslateConstraint

        Public Sub New(source As JsonElement, occurrences As List(Of SimOccurrence))
            MyBase.New(source, occurrences, False)
        End Sub

        ''' <summary>Travel in one turn.</summary>
        Public ReadOnly Property Ratio As ModelParameter Implements RotateTranslateConstraint.Ratio
            Get
                Return New SimParameter(Name, "d201", "cm", Source.Number("ratio"), "")
            End Get
        End Property

        Public ReadOnly Property ForwardDirection As Boolean Implements RotateTranslateConstraint.ForwardDirection
            Get
                Return Source.Flag("forward")
            End Get
        End Property
    End Class

    Public NotInheritable Class SimConstraints
        Inherits SimCollection(Of AssemblyConstraint)
        Implements AssemblyConstraints

        Public Sub New(items As List(Of AssemblyConstraint))
            MyBase.New(items)
        End Sub

        Public ReadOnly Property Count As Integer Implements AssemblyConstraints.Count
            Get
                Return CountOfItems
            End Get
        End Property

        Default Public ReadOnly Property Item(Index As Object) As AssemblyConstraint Implements AssemblyConstraints.Item
            Get
                Return ItemAt(CInt(Index))
            End Get
        End Property
    End Class

    ''' <summary>An assembly document with the tree of its own occurrences, its joints and constraints.</summary>
    Public NotInheritable Class SimAssemblyDocument
        Inherits SimDocument
        Implements AssemblyDocument, AssemblyComponentDefinition
        Public ReadOnly Tree As New List(Of SimOccurrence)()
        Public ReadOnly JointList As New List(Of SimJoint)()
        Public ReadOnly ConstraintList As New List(Of SimConstraint)()

        Public Sub New(fileName As String, state As String, source As JsonElement)
            MyBase.New(fileName, state, source)
        End Sub

        ''' <summary>Builds the tree; apart from the constructor, because it needs the documents of the parts.</summary>
        Public Sub Build(documents As Documents)
            For Each occurrence In OccurrenceSources
                Dim node = SimOccurrence.Create(occurrence, Nothing, documents)
                node.Lags = occurrence.Flag("lags")
                Tree.Add(node)
            Next
            For Each joint In source.Elements("joints")
                JointList.Add(New SimJoint(joint, Tree, JointList.Count))
            Next
            For Each constraint In source.Elements("constraints")
                Select Case constraint.Text("kind")
                    Case "rotate_rotate" : ConstraintList.Add(New SimMotionConstraint(constraint, Tree))
                    Case "rotate_translate" : ConstraintList.Add(New SimRackConstraint(constraint, Tree))
                    Case Else : ConstraintList.Add(New SimConstraint(constraint, Tree, True))
                End Select
            Next
        End Sub

        Public ReadOnly Property OccurrenceSources As List(Of JsonElement)
            Get
                Return source.Elements("occurrences")
            End Get
        End Property

        Private ReadOnly Property OwnRangeBox As Box Implements AssemblyComponentDefinition.RangeBox
            Get
                Return RangeBox
            End Get
        End Property

        Private ReadOnly Property OwnBodies As SurfaceBodies Implements AssemblyComponentDefinition.SurfaceBodies
            Get
                Return SurfaceBodies
            End Get
        End Property

        Private ReadOnly Property OwnMass As MassProperties Implements AssemblyComponentDefinition.MassProperties
            Get
                Return MassProperties
            End Get
        End Property

        Private ReadOnly Property OwnFrames As UserCoordinateSystems Implements AssemblyComponentDefinition.UserCoordinateSystems
            Get
                Return UserCoordinateSystems
            End Get
        End Property

        Public ReadOnly Property ComponentDefinition As AssemblyComponentDefinition Implements AssemblyDocument.ComponentDefinition
            Get
                Return Me
            End Get
        End Property

        Public Overrides ReadOnly Property DocumentType As DocumentTypeEnum
            Get
                Return DocumentTypeEnum.kAssemblyDocumentObject
            End Get
        End Property

        Public ReadOnly Property Occurrences As ComponentOccurrences Implements AssemblyComponentDefinition.Occurrences
            Get
                World.Enter("AssemblyComponentDefinition.Occurrences", FileName)
                Return New SimOccurrences(Tree)
            End Get
        End Property

        Public ReadOnly Property Joints As AssemblyJoints Implements AssemblyComponentDefinition.Joints
            Get
                World.Enter("AssemblyComponentDefinition.Joints", FileName)
                Dim items As New List(Of AssemblyJoint)()
                items.AddRange(JointList)
                Return New SimJoints(items)
            End Get
        End Property

        Public ReadOnly Property Constraints As AssemblyConstraints Implements AssemblyComponentDefinition.Constraints
            Get
                World.Enter("AssemblyComponentDefinition.Constraints", FileName)
                Dim items As New List(Of AssemblyConstraint)()
                items.AddRange(ConstraintList)
                Return New SimConstraints(items)
            End Get
        End Property

        ''' <summary>An assembly has no bodies of its own.</summary>
        Public Overrides ReadOnly Property SurfaceBodies As SurfaceBodies
            Get
                Return New SimBodies(New List(Of SurfaceBody)())
            End Get
        End Property

        ''' <summary>Invisible occurrences are counted; suppressed and reference ones are not.</summary>
        Public Overrides Function Data() As MassData
            Dim parts As New List(Of MassData)()
            For Each occurrence In Tree
                If occurrence.Suppressed OrElse occurrence.Model Is Nothing OrElse occurrence.Source.Text("bom") = "reference" Then Continue For
                parts.Add(occurrence.Model.EffectiveData().Placed(occurrence.Placed))
            Next
            Return MassData.Combined(parts)
        End Function

        Public Overrides Function VisibleSolids() As List(Of Solid)
            Dim result As New List(Of Solid)()
            For Each occurrence In Tree
                If occurrence.Suppressed OrElse occurrence.Model Is Nothing OrElse Not occurrence.Source.Flag("visible", True) Then Continue For
                For Each solid In occurrence.Model.VisibleSolids()
                    result.Add(solid.Moved(occurrence.Placed))
                Next
            Next
            Return result
        End Function
    End Class

    ''' <summary>All documents of the file, one object per document and model state.</summary>
    Public NotInheritable Class Documents
        Private ReadOnly sources As JsonElement
        Private ReadOnly opened As New Dictionary(Of String, SimDocument)()

        Public Sub New(sources As JsonElement)
            Me.sources = sources
        End Sub

        Public Function DirtyNames() As List(Of String)
            Dim names As New List(Of String)()
            For Each document In opened.Values
                If document.Dirty Then names.Add(document.FileName)
            Next
            Return names
        End Function

        Public Function Find(fileName As String, state As String) As SimDocument
            Dim key = fileName & "<" & state & ">"
            Dim found As SimDocument = Nothing
            If opened.TryGetValue(key, found) Then Return found
            Dim source = sources.GetProperty(fileName)
            If fileName.EndsWith(".iam", System.StringComparison.OrdinalIgnoreCase) Then
                Dim assembly As New SimAssemblyDocument(fileName, state, source)
                assembly.Build(Me)
                found = assembly
            Else
                found = New SimPartDocument(fileName, state, source)
            End If
            opened(key) = found
            Return found
        End Function
    End Class
End Namespace
