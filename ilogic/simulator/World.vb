' What all simulated objects share: the options of the run, the members that are to fail, and what the rule did.

Imports System.Collections.Generic
Imports System.Text.Json

Namespace Global.Simulator
    ''' <summary>Reads fields of the assembly file that may be absent.</summary>
    Public Module Reading
        <System.Runtime.CompilerServices.Extension>
        Public Function Find(element As JsonElement, field As String) As JsonElement?
            Dim value As JsonElement
            If element.ValueKind <> JsonValueKind.Object OrElse Not element.TryGetProperty(field, value) Then Return Nothing
            If value.ValueKind = JsonValueKind.Null Then Return Nothing
            Return value
        End Function

        <System.Runtime.CompilerServices.Extension>
        Public Function Text(element As JsonElement, field As String, Optional otherwise As String = "") As String
            Dim value = element.Find(field)
            Return If(value.HasValue, value.Value.GetString(), otherwise)
        End Function

        <System.Runtime.CompilerServices.Extension>
        Public Function Flag(element As JsonElement, field As String, Optional otherwise As Boolean = False) As Boolean
            Dim value = element.Find(field)
            Return If(value.HasValue, value.Value.GetBoolean(), otherwise)
        End Function

        <System.Runtime.CompilerServices.Extension>
        Public Function Number(element As JsonElement, field As String, Optional otherwise As Double = 0) As Double
            Dim value = element.Find(field)
            Return If(value.HasValue, value.Value.GetDouble(), otherwise)
        End Function

        <System.Runtime.CompilerServices.Extension>
        Public Function Numbers(element As JsonElement, field As String) As Double()
            Dim value = element.Find(field)
            If Not value.HasValue Then Return Nothing
            Dim result As New List(Of Double)()
            For Each entry In value.Value.EnumerateArray()
                result.Add(If(entry.ValueKind = JsonValueKind.Null, Double.NaN, entry.GetDouble()))
            Next
            Return result.ToArray()
        End Function

        <System.Runtime.CompilerServices.Extension>
        Public Function Elements(element As JsonElement, field As String) As List(Of JsonElement)
            Dim value = element.Find(field)
            Dim result As New List(Of JsonElement)()
            If value.HasValue Then result.AddRange(value.Value.EnumerateArray())
            Return result
        End Function

        <System.Runtime.CompilerServices.Extension>
        Public Function PoseOf(element As JsonElement, field As String) As Pose
            Dim value = element.Find(field)
            Dim result As New Pose()
            If Not value.HasValue Then Return result
            For row = 0 To 2
                For column = 0 To 3
                    result(row, column) = value.Value(row)(column).GetDouble()
                Next
            Next
            Return result
        End Function
    End Module

    ''' <summary>A member that throws, from its n-th call on, for a number of calls (0: for ever).</summary>
    Public NotInheritable Class Fault
        Public Member As String
        Public OnName As String
        Public FirstCall As Integer
        Public Calls As Integer
        Public Seen As Integer
    End Class

    ''' <summary>The one simulated session.</summary>
    Public NotInheritable Class World
        Public Shared Current As World

        Public ReadOnly Options As JsonElement
        Public ReadOnly Folder As String
        Public ReadOnly Calls As New Dictionary(Of String, Integer)()
        Public ReadOnly Messages As New List(Of String)()
        Public ReadOnly Log As New List(Of String)()
        Public ReadOnly Status As New List(Of String)()
        Public ReadOnly UndoList As New List(Of String)()
        Public ReadOnly EventRules As New List(Of String)()
        Public ReadOnly ExportsInsideTransaction As New List(Of String)()
        Public OpenTransaction As SimTransaction
        Public Assembly As AssemblyModel
        Public Automation As SimAutomation
        Private ReadOnly noise As New System.Random(1)
        Private ReadOnly faults As New List(Of Fault)()

        Public Sub New(assembly As JsonElement, folder As String)
            Options = If(assembly.Find("options"), assembly)
            Me.Folder = folder
            For Each entry In Options.Elements("faults")
                faults.Add(New Fault() With {
                    .Member = entry.Text("member"), .OnName = entry.Text("name"),
                    .FirstCall = CInt(entry.Number("call", 1)), .Calls = CInt(entry.Number("calls", 1))})
            Next
        End Sub

        ''' <summary>Counts the call of a member, and throws if the run asks for it.</summary>
        Public Shared Sub Enter(member As String, Optional onName As String = "")
            Dim world = Current
            Dim count = 0
            world.Calls.TryGetValue(member, count)
            world.Calls(member) = count + 1
            For Each fault In world.faults
                If fault.Member <> member OrElse (fault.OnName <> "" AndAlso fault.OnName <> onName) Then Continue For
                fault.Seen += 1
                Dim past = fault.Seen - fault.FirstCall
                If past >= 0 AndAlso (fault.Calls = 0 OrElse past < fault.Calls) Then
                    Throw New System.Runtime.InteropServices.COMException("Unspecified error (" & member & ")", &H80004005)
                End If
            Next
        End Sub

        ''' <summary>The pose as Inventor's solver leaves it: option "noise" is the largest error of an entry, cm.</summary>
        Public Function Shaken(pose As Pose) As Pose
            Dim amplitude = Options.Number("noise")
            If amplitude = 0 Then Return pose
            Dim result = pose * Pose.Identity
            For row = 0 To 2
                For column = 0 To 3
                    result(row, column) += amplitude * (2 * noise.NextDouble() - 1)
                Next
            Next
            Return result
        End Function

        ''' <summary>A change of the model: on the undo list unless a transaction is open, and rules on events run.</summary>
        Public Shared Sub Changed(what As String)
            If Current.OpenTransaction Is Nothing Then Current.UndoList.Add(what)
            If Current.Automation.RulesEnabled OrElse Current.Automation.RulesOnEventsEnabled Then Current.EventRules.Add(what)
            Current.Assembly.Document.Dirty = True
        End Sub
    End Class
End Namespace
