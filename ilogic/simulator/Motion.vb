' How the parts move: an assembly is a graph of units (what moves by itself) and edges (joints, constraints that hold).
' An edge that is not satisfied is mended by moving what hangs on one of its sides; an edge in a ring can only be mended
' together with the ring's other joints, and only by a drive (or by a value where the option "loops" is "free").

Imports System.Collections.Generic
Imports System.Math

Namespace Global.Simulator
    ''' <summary>A joint or a holding constraint between two units; Nothing is the ground.</summary>
    Public NotInheritable Class Edge
        Public Joint As SimJoint
        Public Constraint As SimConstraint
        Public One As SimOccurrence
        Public Two As SimOccurrence

        Public ReadOnly Property Active As Boolean
            Get
                If One IsNot Nothing AndAlso One.Suppressed Then Return False
                If Two IsNot Nothing AndAlso Two.Suppressed Then Return False
                Return If(Joint IsNot Nothing, Not Joint.IsSuppressed, Not Constraint.IsSuppressed)
            End Get
        End Property

        ''' <summary>Pose of One in Two when the edge is satisfied, with a joint's motion given or as wanted.</summary>
        Public Function Relation(Optional motion As Pose = Nothing) As Pose
            If Joint Is Nothing Then Return Constraint.Held.Inverse()
            Return Joint.FrameTwo * If(motion, Joint.Wanted) * Joint.FrameOne.Inverse()
        End Function
    End Class

    Public NotInheritable Class AssemblyModel
        Private Const Satisfied As Double = 0.0000000001
        ' A drive goes in steps, so that a linkage stays on its branch: rad or cm.
        Private Const DriveStep As Double = 0.03

        Public ReadOnly Document As SimAssemblyDocument
        Public ReadOnly Units As New List(Of SimOccurrence)()
        Private ReadOnly edges As New List(Of Edge)()
        Private ReadOnly couplings As New List(Of SimConstraint)()

        Public Sub New(document As SimAssemblyDocument)
            Me.Document = document
            CollectUnits(document.Tree)
            AddEdges(document, document.Tree)
            AddFlexible(document.Tree)
        End Sub

        ''' <summary>The occurrence with a path of names, joined by "/"; Nothing for no name.</summary>
        Public Shared Function Named(occurrences As List(Of SimOccurrence), path As String) As SimOccurrence
            If path = "" Then Return Nothing
            Dim cut = path.IndexOf("/"c)
            Dim first = If(cut < 0, path, path.Substring(0, cut))
            For Each occurrence In occurrences
                If occurrence.Name = first Then Return If(cut < 0, occurrence, Named(occurrence.Children, path.Substring(cut + 1)))
            Next
            Throw New System.ArgumentException("no occurrence " & path)
        End Function

        Private Sub CollectUnits(occurrences As List(Of SimOccurrence))
            For Each occurrence In occurrences
                If occurrence.IsFlexible Then
                    CollectUnits(occurrence.Children)
                Else
                    Units.Add(occurrence)
                End If
            Next
        End Sub

        Private Sub AddFlexible(occurrences As List(Of SimOccurrence))
            For Each occurrence In occurrences
                If Not occurrence.IsFlexible Then Continue For
                AddEdges(CType(occurrence.Model, SimAssemblyDocument), occurrence.Children)
                AddFlexible(occurrence.Children)
            Next
        End Sub

        Private Sub AddEdges(owner As SimAssemblyDocument, occurrences As List(Of SimOccurrence))
            For Each joint In owner.JointList
                edges.Add(New Edge() With {.Joint = joint, .One = Counterpart(joint.One, occurrences), .Two = Counterpart(joint.Two, occurrences)})
            Next
            For Each constraint In owner.ConstraintList
                If constraint.Held Is Nothing Then
                    couplings.Add(constraint)
                Else
                    edges.Add(New Edge() With {
                        .Constraint = constraint,
                        .One = Counterpart(constraint.One, occurrences), .Two = Counterpart(constraint.Two, occurrences)})
                End If
            Next
        End Sub

        ' The unit in this place of the tree that stands for an occurrence of the sub-assembly's own tree.
        Private Shared Function Counterpart(native As SimOccurrence, occurrences As List(Of SimOccurrence)) As SimOccurrence
            If native Is Nothing Then Return Nothing
            Dim path = native.Name
            Dim above = native.Parent
            While above IsNot Nothing
                path = above.Name & "/" & path
                above = above.Parent
            End While
            Return Named(occurrences, path).Unit
        End Function

        Private Shared Function Ground(unit As SimOccurrence) As SimOccurrence
            If unit Is Nothing OrElse unit.IsGround Then Return Nothing
            Return unit
        End Function

        Private Shared Function PlaceOf(unit As SimOccurrence) As Pose
            Return If(unit Is Nothing, Pose.Identity, unit.Placed)
        End Function

        Private Shared Function Unsatisfied(edge As Edge) As Boolean
            Return (PlaceOf(edge.Two).Inverse() * PlaceOf(edge.One)).DistanceFrom(edge.Relation()) > Satisfied
        End Function

        ''' <summary>
        ''' Brings the shown poses up to date. A part that lags shows where it was before this update; the next one
        ''' shows it right.
        ''' </summary>
        Public Sub Update()
            For Each unit In Units
                unit.Shown = unit.Placed
            Next
            Mend(Nothing)
            For Each unit In Units
                If Not unit.Lags Then unit.Shown = unit.Placed
            Next
        End Sub

        ''' <summary>True if the joint's wanted value was reached, the rings it is in following.</summary>
        Public Function Drive(joint As SimJoint) As Boolean
            For Each unit In Units
                unit.Shown = unit.Placed
            Next
            Mend(joint)
            For Each unit In Units
                If Not unit.Lags Then unit.Shown = unit.Placed
            Next
            Return Not joint.ValueChanged
        End Function

        Private Sub Mend(driven As SimJoint)
            Dim tried As New HashSet(Of Edge)()
            Dim free = World.Current.Options.Text("loops") = "free"
            For attempt = 1 To edges.Count + 1
                Dim next_ As Edge = Nothing
                For Each edge In edges
                    If edge.Active AndAlso Not tried.Contains(edge) AndAlso Unsatisfied(edge) Then
                        next_ = edge
                        Exit For
                    End If
                Next
                If next_ Is Nothing Then Return
                tried.Add(next_)
                Dim done = TryMend(next_, free OrElse (driven IsNot Nothing AndAlso next_.Joint Is driven))
                If next_.Joint IsNot Nothing Then
                    next_.Joint.Health = If(done, Inventor.HealthStatusEnum.kUpToDateHealth, Inventor.HealthStatusEnum.kInconsistentHealth)
                End If
            Next
        End Sub

        Private Function TryMend(edge As Edge, mayCouple As Boolean) As Boolean
            Dim joint = edge.Joint
            If joint IsNot Nothing AndAlso joint.ValueChanged Then
                If joint.IsLocked OrElse joint.IsProtected Then Return False
                If Not joint.WithinLimits(joint.Angular.Raw, joint.Linear.Raw) Then Return False
                If Not mayCouple AndAlso IsCoupled(joint) Then Return False
            End If
            Dim sideOne = Side(edge, edge.One)
            If sideOne.Contains(If(Ground(edge.Two), GroundMark)) Then
                Return joint IsNot Nothing AndAlso mayCouple AndAlso DriveRing(edge)
            End If
            Dim turnBefore = joint?.ActualAngular, travelBefore = joint?.ActualLinear
            MoveSides(edge, sideOne)
            If joint IsNot Nothing Then
                TakeOver(joint)
                Follow(joint, turnBefore.Value, travelBefore.Value)
            End If
            Return True
        End Function

        Private Shared Sub TakeOver(joint As SimJoint)
            If joint.Turns Then joint.ActualAngular = joint.Angular.Raw
            If joint.Slides Then joint.ActualLinear = joint.Linear.Raw
        End Sub

        ' Stands for the ground in sets of units.
        Private Shared ReadOnly GroundMark As SimOccurrence = SimOccurrence.Create(
            System.Text.Json.JsonDocument.Parse("{""name"": ""ground"", ""virtual"": true}").RootElement, Nothing, Nothing)

        ''' <summary>All units that hang together with this one over active edges other than the given one.</summary>
        Private Function Side(without As Edge, start As SimOccurrence) As HashSet(Of SimOccurrence)
            Dim reached As New HashSet(Of SimOccurrence)() From {If(Ground(start), GroundMark)}
            Dim grown = True
            While grown
                grown = False
                For Each edge In edges
                    If edge Is without OrElse Not edge.Active Then Continue For
                    Dim one = If(Ground(edge.One), GroundMark), two = If(Ground(edge.Two), GroundMark)
                    If reached.Contains(one) <> reached.Contains(two) Then
                        reached.Add(one)
                        reached.Add(two)
                        grown = True
                    End If
                Next
            End While
            Return reached
        End Function

        ' The side that holds the ground stays; where neither does, both move.
        Private Sub MoveSides(edge As Edge, sideOne As HashSet(Of SimOccurrence))
            Dim sideTwo = Side(edge, edge.Two)
            Dim wanted = edge.Relation()
            If sideOne.Contains(GroundMark) Then
                Move(sideTwo, PlaceOf(edge.One) * wanted.Inverse() * PlaceOf(edge.Two).Inverse())
                Return
            End If
            If Not sideTwo.Contains(GroundMark) AndAlso edge.Joint IsNot Nothing Then
                Dim joint = edge.Joint
                Dim turn = If(joint.Turns, joint.ActualAngular + 0.3 * (joint.Angular.Raw - joint.ActualAngular), joint.ActualAngular)
                Dim travel = If(joint.Slides, joint.ActualLinear + 0.3 * (joint.Linear.Raw - joint.ActualLinear), joint.ActualLinear)
                Move(sideTwo, PlaceOf(edge.One) * edge.Relation(Pose.Screw(turn, travel)).Inverse() * PlaceOf(edge.Two).Inverse())
            End If
            Move(sideOne, PlaceOf(edge.Two) * wanted * PlaceOf(edge.One).Inverse())
        End Sub

        Private Shared Sub Move(side As HashSet(Of SimOccurrence), motion As Pose)
            For Each unit In side
                If unit IsNot GroundMark Then unit.Placed = (motion * unit.Placed).Squared()
            Next
        End Sub

        Private Iterator Function CouplingsOf(joint As SimJoint) As IEnumerable(Of (Constraint As SimConstraint, Other As SimJoint, First As Boolean))
            For Each coupling In couplings
                If coupling.IsSuppressed Then Continue For
                For Each edge In edges
                    If edge.Joint Is Nothing OrElse edge.Joint Is joint OrElse Not edge.Active Then Continue For
                    Dim names = (coupling.Source.Text("joint_one"), coupling.Source.Text("joint_two"))
                    If names.Item1 = joint.Name AndAlso names.Item2 = edge.Joint.Name Then Yield (coupling, edge.Joint, True)
                    If names.Item2 = joint.Name AndAlso names.Item1 = edge.Joint.Name Then Yield (coupling, edge.Joint, False)
                Next
            Next
        End Function

        Private Function IsCoupled(joint As SimJoint) As Boolean
            For Each entry In CouplingsOf(joint)
                Return True
            Next
            Return False
        End Function

        ' The other gear, or the rack, goes along.
        Private Sub Follow(joint As SimJoint, turnBefore As Double, travelBefore As Double)
            Dim turned = joint.ActualAngular - turnBefore, travelled = joint.ActualLinear - travelBefore
            If turned = 0 AndAlso travelled = 0 Then Return
            For Each entry In CouplingsOf(joint)
                Dim sign = If(entry.Constraint.Source.Flag("forward"), 1, -1)
                Dim ratio = sign * entry.Constraint.Source.Number("ratio")
                Dim other = entry.Other
                Dim turnOther = 0.0, travelOther = 0.0
                If entry.Constraint.Source.Text("kind") = "rotate_rotate" Then
                    turnOther = If(entry.First, turned * ratio, turned / ratio)
                ElseIf entry.First Then
                    travelOther = turned * ratio / (2 * PI)
                Else
                    turnOther = travelled / ratio * 2 * PI
                End If
                other.Angular.Load(other.ActualAngular + turnOther)
                other.Linear.Load(other.ActualLinear + travelOther)
                Dim edge = edges.Find(Function(candidate) candidate.Joint Is other)
                MoveSides(edge, Side(edge, edge.One))
                TakeOver(other)
            Next
        End Sub

        ''' <summary>Drives a joint of a ring to its wanted value, the others following; all or nothing.</summary>
        Private Function DriveRing(edge As Edge) As Boolean
            Dim joint = edge.Joint
            Dim before = Snapshot()
            Dim turn = If(joint.Turns, joint.Angular.Raw - joint.ActualAngular, 0)
            Dim travel = If(joint.Slides, joint.Linear.Raw - joint.ActualLinear, 0)
            Dim steps = CInt(Ceiling(Max(Abs(turn), Abs(travel)) / DriveStep))
            If steps = 0 Then Return False
            Dim ring As New RingSolver(ActiveEdges(), Units)
            For stage = 1 To steps
                If Not ring.Step_(joint, turn / steps, travel / steps) Then
                    Restore(before)
                    Return False
                End If
            Next
            For Each other In ring.Moving
                If Not other.WithinLimits(other.ActualAngular, other.ActualLinear) Then
                    Restore(before)
                    Return False
                End If
            Next
            For Each other In ring.Moving
                If other IsNot joint Then
                    other.Angular.Load(other.ActualAngular)
                    other.Linear.Load(other.ActualLinear)
                End If
            Next
            joint.ActualAngular = If(joint.Turns, joint.Angular.Raw, joint.ActualAngular)
            joint.ActualLinear = If(joint.Slides, joint.Linear.Raw, joint.ActualLinear)
            Return True
        End Function

        Private Function ActiveEdges() As List(Of Edge)
            Return edges.FindAll(Function(edge) edge.Active)
        End Function

        Public ReadOnly Property AllJoints As List(Of SimJoint)
            Get
                Dim result As New List(Of SimJoint)()
                For Each edge In edges
                    If edge.Joint IsNot Nothing AndAlso Not result.Contains(edge.Joint) Then result.Add(edge.Joint)
                Next
                Return result
            End Get
        End Property

        Public ReadOnly Property AllConstraints As List(Of SimConstraint)
            Get
                Dim result As New List(Of SimConstraint)(couplings)
                For Each edge In edges
                    If edge.Constraint IsNot Nothing Then result.Add(edge.Constraint)
                Next
                Return result
            End Get
        End Property

        ''' <summary>What a transaction gives back when it is aborted.</summary>
        Public Function Snapshot() As List(Of System.Action)
            Dim undo As New List(Of System.Action)()
            For Each unit In Units
                Dim node = unit, placed = unit.Placed, shown = unit.Shown
                undo.Add(Sub()
                             node.Placed = placed
                             node.Shown = shown
                         End Sub)
            Next
            For Each item In AllJoints
                undo.Add(Remember(item))
            Next
            For Each item In AllConstraints
                Dim constraint = item, suppressed = item.IsSuppressed
                undo.Add(Sub() constraint.IsSuppressed = suppressed)
            Next
            Return undo
        End Function

        Private Shared Function Remember(joint As SimJoint) As System.Action
            Dim angular = (joint.Angular.Raw, joint.Angular.RawExpression), linear = (joint.Linear.Raw, joint.Linear.RawExpression)
            Dim actual = (joint.ActualAngular, joint.ActualLinear), health = joint.Health
            Dim flags = (joint.IsSuppressed, joint.IsLocked, joint.IsProtected)
            Dim drive = (joint.DriveStart, joint.DriveEnd, joint.DriveKind)
            Return Sub()
                       joint.Angular.Load(angular.Item1, angular.Item2)
                       joint.Linear.Load(linear.Item1, linear.Item2)
                       joint.ActualAngular = actual.Item1
                       joint.ActualLinear = actual.Item2
                       joint.Health = health
                       joint.IsSuppressed = flags.Item1
                       joint.IsLocked = flags.Item2
                       joint.IsProtected = flags.Item3
                       joint.DriveStart = drive.Item1
                       joint.DriveEnd = drive.Item2
                       joint.DriveKind = drive.Item3
                   End Sub
        End Function

        Public Shared Sub Restore(undo As List(Of System.Action))
            For Each action In undo
                action()
            Next
        End Sub
    End Class

    ''' <summary>
    ''' Closes rings: units are placed along a tree of edges, the edges left over must be satisfied too. Least squares
    ''' with numerical derivatives, because a planar ring in space has more equations than it needs.
    ''' </summary>
    Public NotInheritable Class RingSolver
        Private Const Difference As Double = 0.000001
        Private Const Closed As Double = 0.000000000001
        Private Const Rounds As Integer = 50

        Public ReadOnly Moving As New List(Of SimJoint)()
        ' Each with the end that it places: True for One.
        Private ReadOnly tree As New List(Of (Edge As Edge, PlacesOne As Boolean))()
        Private ReadOnly closing As New List(Of Edge)()

        Public Sub New(edges As List(Of Edge), units As List(Of SimOccurrence))
            Dim left As New List(Of Edge)(edges)
            Dim reached As New HashSet(Of SimOccurrence)(units.FindAll(Function(unit) unit.IsGround))
            Dim grown = True
            While grown
                grown = False
                For Each edge In left
                    Dim one = edge.One Is Nothing OrElse reached.Contains(edge.One)
                    Dim two = edge.Two Is Nothing OrElse reached.Contains(edge.Two)
                    If Not one AndAlso Not two Then Continue For
                    grown = True
                    left.Remove(edge)
                    If one AndAlso two Then
                        closing.Add(edge)
                    Else
                        tree.Add((edge, two))
                        reached.Add(If(one, edge.Two, edge.One))
                    End If
                    Exit For
                Next
            End While
            For Each entry In tree
                If entry.Edge.Joint IsNot Nothing Then Moving.Add(entry.Edge.Joint)
            Next
            For Each edge In closing
                If edge.Joint IsNot Nothing Then Moving.Add(edge.Joint)
            Next
        End Sub

        Private Function Motion(edge As Edge) As Pose
            If edge.Joint Is Nothing Then Return edge.Relation()
            Return edge.Relation(Pose.Screw(edge.Joint.ActualAngular, edge.Joint.ActualLinear))
        End Function

        Private Sub Place()
            For Each entry In tree
                Dim edge = entry.Edge
                If entry.PlacesOne Then
                    edge.One.Placed = If(edge.Two Is Nothing, Pose.Identity, edge.Two.Placed) * Motion(edge)
                Else
                    edge.Two.Placed = If(edge.One Is Nothing, Pose.Identity, edge.One.Placed) * Motion(edge).Inverse()
                End If
            Next
        End Sub

        Private Function Residual() As Double()
            Place()
            Dim result As New List(Of Double)()
            For Each edge In closing
                Dim one = If(edge.One Is Nothing, Pose.Identity, edge.One.Placed)
                Dim two = If(edge.Two Is Nothing, Pose.Identity, edge.Two.Placed)
                result.AddRange((Motion(edge).Inverse() * two.Inverse() * one).Deviation())
            Next
            Return result.ToArray()
        End Function

        ''' <summary>True if the rings close after the joint has moved by the given amounts.</summary>
        Public Function Step_(driven As SimJoint, turn As Double, travel As Double) As Boolean
            driven.ActualAngular += turn
            driven.ActualLinear += travel
            Dim variables As New List(Of (Joint As SimJoint, Turns As Boolean))()
            For Each joint In Moving
                If joint Is driven Then Continue For
                If joint.Turns Then variables.Add((joint, True))
                If joint.Slides Then variables.Add((joint, False))
            Next
            Dim deviation = Residual()
            For attempt = 1 To Rounds
                If Largest(deviation) < Closed Then Return True
                Dim correction = Solve(Derivatives(variables, deviation), deviation)
                For index = 0 To variables.Count - 1
                    Shift(variables(index), -correction(index))
                Next
                deviation = Residual()
            Next
            Return False
        End Function

        Private Shared Sub Shift(variable As (Joint As SimJoint, Turns As Boolean), amount As Double)
            If variable.Turns Then
                variable.Joint.ActualAngular += amount
            Else
                variable.Joint.ActualLinear += amount
            End If
        End Sub

        Private Function Derivatives(variables As List(Of (Joint As SimJoint, Turns As Boolean)), deviation As Double()) As Double(,)
            Dim result(deviation.Length - 1, variables.Count - 1) As Double
            For column = 0 To variables.Count - 1
                Shift(variables(column), Difference)
                Dim moved = Residual()
                Shift(variables(column), -2 * Difference)
                Dim back = Residual()
                Shift(variables(column), Difference)
                For row = 0 To deviation.Length - 1
                    result(row, column) = (moved(row) - back(row)) / (2 * Difference)
                Next
            Next
            Return result
        End Function

        Private Shared Function Largest(values As Double()) As Double
            Dim result = 0.0
            For Each value In values
                result = Max(result, Abs(value))
            Next
            Return result
        End Function

        ' (J'J + e) x = J'r by elimination; e keeps joints that the ring does not need where they are.
        Private Shared Function Solve(derivatives As Double(,), deviation As Double()) As Double()
            Const Damping As Double = 0.000000001
            Dim count = derivatives.GetLength(1)
            Dim system(count - 1, count) As Double
            For i = 0 To count - 1
                For k = 0 To deviation.Length - 1
                    For j = 0 To count - 1
                        system(i, j) += derivatives(k, i) * derivatives(k, j)
                    Next
                    system(i, count) += derivatives(k, i) * deviation(k)
                Next
                system(i, i) += Damping
            Next
            For pivot = 0 To count - 1
                For row = pivot + 1 To count - 1
                    Dim factor = system(row, pivot) / system(pivot, pivot)
                    For column = pivot To count
                        system(row, column) -= factor * system(pivot, column)
                    Next
                Next
            Next
            Dim result(count - 1) As Double
            For row = count - 1 To 0 Step -1
                Dim sum = system(row, count)
                For column = row + 1 To count - 1
                    sum -= system(row, column) * result(column)
                Next
                result(row) = sum / system(row, row)
            Next
            Return result
        End Function
    End Class
End Namespace
