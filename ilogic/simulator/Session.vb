' The application: transactions, the STL translator, the iLogic objects of a rule, and the program that runs one.

Imports System.Collections.Generic
Imports System.IO
Imports System.Text.Json
Imports Inventor

Namespace Global.Simulator
    Public NotInheritable Class SimApplication
        Implements Application, ApplicationAddIns, TransientObjects, TransactionManager, SoftwareVersion
        Private statusText As String = ""

        Private ReadOnly Property AddIns As ApplicationAddIns Implements Application.ApplicationAddIns
            Get
                Return Me
            End Get
        End Property

        Private ReadOnly Property Transients As TransientObjects Implements Application.TransientObjects
            Get
                Return Me
            End Get
        End Property

        Private ReadOnly Property Transactions As TransactionManager Implements Application.TransactionManager
            Get
                Return Me
            End Get
        End Property

        Private ReadOnly Property Version As SoftwareVersion Implements Application.SoftwareVersion
            Get
                Return Me
            End Get
        End Property

        Public ReadOnly Property DisplayVersion As String Implements SoftwareVersion.DisplayVersion
            Get
                Return World.Current.Options.Text("inventor_version", "2026.1")
            End Get
        End Property

        Public ReadOnly Property Major As Integer Implements SoftwareVersion.Major
            Get
                Return CInt(DisplayVersion.Substring(0, 4)) - 1996
            End Get
        End Property

        Public ReadOnly Property ActiveDocument As Document Implements Application.ActiveDocument
            Get
                Return World.Current.Assembly.Document
            End Get
        End Property

        Public Property StatusBarText As String Implements Application.StatusBarText
            Get
                Return statusText
            End Get
            Set(value As String)
                statusText = value
                World.Current.Status.Add(value)
            End Set
        End Property

        Public Property ScreenUpdating As Boolean = True Implements Application.ScreenUpdating
        Public Property SilentOperation As Boolean Implements Application.SilentOperation

        Public ReadOnly Property ItemById(ClientId As String) As ApplicationAddIn Implements ApplicationAddIns.ItemById
            Get
                World.Enter("ApplicationAddIns.ItemById")
                If ClientId.ToUpperInvariant() <> "{533E9A98-FC3B-11D4-8E7E-0010B541CD80}" Then Throw New System.ArgumentException("no add-in " & ClientId)
                Return translator
            End Get
        End Property

        Private ReadOnly translator As New SimTranslator()

        Public Function CreateTranslationContext() As TranslationContext Implements TransientObjects.CreateTranslationContext
            Return New SimContext()
        End Function

        Public Function CreateNameValueMap() As NameValueMap Implements TransientObjects.CreateNameValueMap
            Return New SimMap()
        End Function

        Public Function CreateDataMedium() As DataMedium Implements TransientObjects.CreateDataMedium
            Return New SimMedium()
        End Function

        Public Function StartTransaction(Document As Document, DisplayName As String) As Transaction Implements TransactionManager.StartTransaction
            World.Enter("TransactionManager.StartTransaction")
            World.Current.OpenTransaction = New SimTransaction(DisplayName)
            Return World.Current.OpenTransaction
        End Function
    End Class

    ''' <summary>Option "abort": "restores" (default), "keeps" (values stay as they are) or "throws".</summary>
    Public NotInheritable Class SimTransaction
        Implements Transaction
        Private ReadOnly name As String
        Private ReadOnly before As List(Of System.Action)

        Public Sub New(name As String)
            Me.name = name
            before = World.Current.Assembly.Snapshot()
        End Sub

        Public Sub [End]() Implements Transaction.End
            World.Current.OpenTransaction = Nothing
            World.Current.UndoList.Add(name)
        End Sub

        Public Sub Abort() Implements Transaction.Abort
            World.Enter("Transaction.Abort")
            World.Current.OpenTransaction = Nothing
            If World.Current.Options.Text("abort", "restores") = "restores" Then AssemblyModel.Restore(before)
        End Sub
    End Class

    Public NotInheritable Class SimContext
        Implements TranslationContext
        Public Property Type As IOMechanismEnum = IOMechanismEnum.kUnspecifiedIOMechanism Implements TranslationContext.Type
    End Class

    Public NotInheritable Class SimMap
        Implements NameValueMap
        Public ReadOnly Values As New Dictionary(Of String, Object)()

        Public Property Value(Name As String) As Object Implements NameValueMap.Value
            Get
                Return Values(Name)
            End Get
            Set(newValue As Object)
                World.Enter("NameValueMap.Value=", Name)
                Values(Name) = newValue
            End Set
        End Property
    End Class

    Public NotInheritable Class SimMedium
        Implements DataMedium
        Public Property FileName As String = "" Implements DataMedium.FileName
    End Class

    Public NotInheritable Class SimTranslator
        Implements TranslatorAddIn
        Private active As Boolean

        Public ReadOnly Property Activated As Boolean Implements ApplicationAddIn.Activated
            Get
                Return active
            End Get
        End Property

        Public Sub Activate() Implements ApplicationAddIn.Activate
            active = True
        End Sub

        ''' <summary>Fills the options with the translator's defaults, centimetres among them.</summary>
        Public ReadOnly Property HasSaveCopyAsOptions(SourceObject As Object, Context As TranslationContext, DefaultOptions As NameValueMap) As Boolean Implements TranslatorAddIn.HasSaveCopyAsOptions
            Get
                World.Enter("TranslatorAddIn.HasSaveCopyAsOptions")
                If World.Current.Options.Flag("no_stl_options") Then Return False
                Dim map = CType(DefaultOptions, SimMap)
                map.Values("OutputFileType") = 0
                map.Values("ExportUnits") = 4
                map.Values("Resolution") = 1
                map.Values("ExportFileStructure") = 0
                map.Values("ExportColor") = True
                Return True
            End Get
        End Property

        Public Sub SaveCopyAs(SourceObject As Object, Context As TranslationContext, Options As NameValueMap, TargetData As DataMedium) Implements TranslatorAddIn.SaveCopyAs
            Dim document = CType(SourceObject, SimDocument)
            World.Enter("TranslatorAddIn.SaveCopyAs", document.FileName)
            If Not active Then Throw New System.InvalidOperationException("the translator is not activated")
            If Context.Type <> IOMechanismEnum.kFileBrowseIOMechanism Then Throw New System.InvalidOperationException("context type")
            If Not System.IO.Path.IsPathRooted(TargetData.FileName) Then Return
            If World.Current.OpenTransaction IsNot Nothing Then World.Current.ExportsInsideTransaction.Add(document.FileName)
            Dim unit As Object = 4
            If Not CType(Options, SimMap).Values.TryGetValue("ExportUnits", unit) Then unit = 4
            StlWriter.Write(document, TargetData.FileName, CInt(unit))
        End Sub
    End Class

    ''' <summary>Binary STL of a document's visible bodies, in its own frame.</summary>
    Public Module StlWriter
        Public Sub Write(document As SimDocument, path As String, exportUnits As Integer)
            Dim scale = UnitsPerCentimetre(exportUnits)
            Dim triangles As New List(Of Double()())()
            For Each solid In document.VisibleSolids()
                triangles.AddRange(solid.Triangles())
            Next
            Using writer As New BinaryWriter(System.IO.File.Create(path))
                writer.Write(New Byte(79) {})
                writer.Write(CUInt(triangles.Count))
                For Each triangle In triangles
                    writer.Write(New Byte(11) {})
                    For Each corner In triangle
                        For axis = 0 To 2
                            writer.Write(CSng(corner(axis) * scale))
                        Next
                    Next
                    writer.Write(CUShort(0))
                Next
            End Using
        End Sub

        Private Function UnitsPerCentimetre(exportUnits As Integer) As Double
            Select Case exportUnits
                Case 2 : Return 1 / 2.54
                Case 3 : Return 1 / 30.48
                Case 4 : Return 1
                Case 5 : Return 10
                Case 6 : Return 0.01
                Case 7 : Return 10000
                Case Else : Throw New System.ArgumentException("ExportUnits " & exportUnits)
            End Select
        End Function
    End Module

    Public NotInheritable Class SimAutomation
        Public Property RulesEnabled As Boolean = True
        Public Property RulesOnEventsEnabled As Boolean = True
    End Class

    Public NotInheritable Class SimVb
        Public ReadOnly Property Automation As SimAutomation
            Get
                World.Enter("iLogicVb.Automation")
                Return World.Current.Automation
            End Get
        End Property
    End Class

    Public NotInheritable Class SimThisDoc
        Public ReadOnly Property Document As Document
            Get
                If World.Current.Options.Flag("run_in_part") Then Return CType(World.Current.Assembly.Units(0).Model, Document)
                Return World.Current.Assembly.Document
            End Get
        End Property
    End Class

    Public NotInheritable Class SimLogger
        Public Sub Info(text As String)
            World.Current.Log.Add("info: " & text)
        End Sub

        Public Sub Warn(text As String)
            World.Current.Log.Add("warn: " & text)
        End Sub

        Public Sub [Error](text As String)
            World.Current.Log.Add("error: " & text)
        End Sub
    End Class

    ''' <summary>What iLogic puts around a rule: the class of the rule inherits it.</summary>
    Public MustInherit Class RuleBase
        Protected ReadOnly ThisApplication As Application = New SimApplication()
        Protected ReadOnly ThisDoc As New SimThisDoc()
        Protected ReadOnly Logger As New SimLogger()
        Protected ReadOnly iLogicVb As New SimVb()

        Public ReadOnly Property Application As SimApplication
            Get
                Return CType(ThisApplication, SimApplication)
            End Get
        End Property

        Public MustOverride Sub RunRule()

        ''' <summary>A message box shows about a thousand characters and no more; the option "answers" presses buttons.</summary>
        Protected Function MsgBox(Prompt As Object, Optional Buttons As MsgBoxStyle = MsgBoxStyle.OkOnly, Optional Title As Object = Nothing) As MsgBoxResult
            Dim world = Simulator.World.Current
            Dim text = CStr(Prompt)
            world.Messages.Add(If(text.Length > 1024, text.Substring(0, 1024), text))
            If (CInt(Buttons) And 7) = MsgBoxStyle.OkOnly Then Return MsgBoxResult.Ok
            Return If(world.Options.Text("answer", "ok") = "ok", MsgBoxResult.Ok, MsgBoxResult.Cancel)
        End Function
    End Class

    ''' <summary>Runs a rule on an assembly file and tells what it did.</summary>
    Public Module Runner
        Public Sub Run(assemblyFile As String, folder As String, reportFile As String, create As System.Func(Of RuleBase))
            Dim source = JsonDocument.Parse(System.IO.File.ReadAllText(assemblyFile)).RootElement
            World.Current = New World(source, folder) With {.Automation = New SimAutomation()}
            Dim world_ = World.Current
            Dim documents As New Documents(source.GetProperty("documents"))
            world_.Assembly = New AssemblyModel(CType(documents.Find(source.Text("document"), ""), SimAssemblyDocument))
            If world_.Options.Flag("decimal_comma") Then UseDecimalComma()
            Dim rule = create()
            Dim before = State(rule)
            Dim failure = ""
            Try
                rule.RunRule()
            Catch problem As System.Exception
                failure = problem.ToString()
            End Try
            Dim report As New Dictionary(Of String, Object)() From {
                {"failure", failure}, {"before", before}, {"after", State(rule)}, {"messages", world_.Messages},
                {"log", world_.Log}, {"status", world_.Status}, {"undo", world_.UndoList}, {"event_rules", world_.EventRules},
                {"calls", world_.Calls}, {"dirty_documents", documents.DirtyNames()}, {"exports_inside_transaction", world_.ExportsInsideTransaction},
                {"transaction_open", world_.OpenTransaction IsNot Nothing}}
            System.IO.File.WriteAllText(reportFile, JsonSerializer.Serialize(report))
        End Sub

        Private Sub UseDecimalComma()
            Dim culture = CType(System.Globalization.CultureInfo.InvariantCulture.Clone(), System.Globalization.CultureInfo)
            culture.NumberFormat.NumberDecimalSeparator = ","
            culture.NumberFormat.NumberGroupSeparator = "."
            System.Globalization.CultureInfo.CurrentCulture = culture
        End Sub

        Private Function State(rule As RuleBase) As Dictionary(Of String, Object)
            Dim model = World.Current.Assembly
            Dim poses As New Dictionary(Of String, Object)()
            For Each unit In model.Units
                Dim rows(3)() As Double
                For row = 0 To 3
                    rows(row) = {unit.Placed(row, 0), unit.Placed(row, 1), unit.Placed(row, 2), unit.Placed(row, 3)}
                Next
                poses(PathOf(unit)) = rows
            Next
            Dim joints As New List(Of Object)()
            For Each joint In model.AllJoints
                joints.Add(New Object() {
                    joint.Name, joint.Angular.RawExpression, joint.Linear.RawExpression, joint.IsSuppressed, joint.IsLocked,
                    joint.IsProtected, joint.DriveStart, joint.DriveEnd, CInt(joint.DriveKind)})
            Next
            Dim constraints As New List(Of Object)()
            For Each constraint In model.AllConstraints
                constraints.Add(New Object() {constraint.Name, constraint.IsSuppressed})
            Next
            Return New Dictionary(Of String, Object)() From {
                {"poses", poses}, {"joints", joints}, {"constraints", constraints}, {"dirty", model.Document.Dirty},
                {"rules", New Boolean() {World.Current.Automation.RulesEnabled, World.Current.Automation.RulesOnEventsEnabled}},
                {"screen_updating", rule.Application.ScreenUpdating}, {"silent", rule.Application.SilentOperation}}
        End Function

        Private Function PathOf(unit As SimOccurrence) As String
            Return If(unit.Parent Is Nothing, unit.Name, PathOf(unit.Parent) & "/" & unit.Name)
        End Function
    End Module
End Namespace
