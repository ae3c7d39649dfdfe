' Poses, boxes and solids of the simulated parts: exact mass data from formulas, triangles for the STL. cm, kg, rad.

Imports System.Collections.Generic
Imports System.Math

Namespace Global.Simulator
    ''' <summary>A rigid pose: rotation and position of a child frame in its parent's.</summary>
    Public NotInheritable Class Pose
        Private ReadOnly entries(3, 3) As Double

        Public Shared ReadOnly Identity As New Pose()

        Public Sub New()
            For row = 0 To 3
                entries(row, row) = 1
            Next
        End Sub

        Default Public Property Entry(row As Integer, column As Integer) As Double
            Get
                Return entries(row, column)
            End Get
            Set(value As Double)
                entries(row, column) = value
            End Set
        End Property

        Public Shared Operator *(left As Pose, right As Pose) As Pose
            Dim product As New Pose()
            Dim a = left.entries, b = right.entries
            For row = 0 To 2
                For column = 0 To 3
                    product.entries(row, column) = a(row, 0) * b(0, column) + a(row, 1) * b(1, column) + a(row, 2) * b(2, column)
                Next
                product.entries(row, 3) += a(row, 3)
            Next
            Return product
        End Operator

        Public Function Inverse() As Pose
            Dim result As New Pose()
            For row = 0 To 2
                Dim shift = 0.0
                For column = 0 To 2
                    result(row, column) = Me(column, row)
                    shift -= Me(column, row) * Me(column, 3)
                Next
                result(row, 3) = shift
            Next
            Return result
        End Function

        ''' <summary>Turn about z, then travel along z: the motion of every joint in its own frame.</summary>
        Public Shared Function Screw(angle As Double, travel As Double) As Pose
            Dim result As New Pose()
            result(0, 0) = Cos(angle)
            result(0, 1) = -Sin(angle)
            result(1, 0) = Sin(angle)
            result(1, 1) = Cos(angle)
            result(2, 3) = travel
            Return result
        End Function

        ''' <summary>The same pose with columns that are exactly square again: rounding grows in long chains of motions.</summary>
        Public Function Squared() As Pose
            Dim result As New Pose()
            For column = 0 To 2
                Dim length = 0.0
                For row = 0 To 2
                    result(row, column) = Me(row, column)
                Next
                For before = 0 To column - 1
                    Dim share = 0.0
                    For row = 0 To 2
                        share += result(row, before) * result(row, column)
                    Next
                    For row = 0 To 2
                        result(row, column) -= share * result(row, before)
                    Next
                Next
                For row = 0 To 2
                    length += result(row, column) * result(row, column)
                Next
                For row = 0 To 2
                    result(row, column) /= Sqrt(length)
                Next
                result(column, 3) = Me(column, 3)
            Next
            Return result
        End Function

        Public Function Apply(point As Double()) As Double()
            Dim result = {Me(0, 3), Me(1, 3), Me(2, 3)}
            For row = 0 To 2
                For column = 0 To 2
                    result(row) += Me(row, column) * point(column)
                Next
            Next
            Return result
        End Function

        ''' <summary>Translation and rotation vector (of a small rotation) of this pose: zero for the identity.</summary>
        Public Function Deviation() As Double()
            Return {Me(0, 3), Me(1, 3), Me(2, 3),
                    (Me(2, 1) - Me(1, 2)) / 2, (Me(0, 2) - Me(2, 0)) / 2, (Me(1, 0) - Me(0, 1)) / 2}
        End Function

        Public Function DistanceFrom(other As Pose) As Double
            Dim largest = 0.0
            For row = 0 To 2
                For column = 0 To 3
                    largest = Max(largest, Abs(Me(row, column) - other(row, column)))
                Next
            Next
            Return largest
        End Function
    End Class

    ''' <summary>Mass, volume, centre and tensor (xx, yy, zz, xy, yz, xz components) about that centre.</summary>
    Public NotInheritable Class MassData
        Public Mass As Double
        Public Volume As Double
        Public Center As Double() = {0.0, 0.0, 0.0}
        Public Tensor As Double(,) = New Double(2, 2) {}

        Public Function Placed(pose As Pose) As MassData
            Dim result As New MassData() With {.Mass = Mass, .Volume = Volume, .Center = pose.Apply(Center)}
            For row = 0 To 2
                For column = 0 To 2
                    For i = 0 To 2
                        For k = 0 To 2
                            result.Tensor(row, column) += pose(row, i) * Tensor(i, k) * pose(column, k)
                        Next
                    Next
                Next
            Next
            Return result
        End Function

        Public Function Scaled(factor As Double) As MassData
            Dim result As New MassData() With {.Mass = Mass * factor, .Volume = Volume, .Center = Center}
            For row = 0 To 2
                For column = 0 To 2
                    result.Tensor(row, column) = Tensor(row, column) * factor
                Next
            Next
            Return result
        End Function

        Public Shared Function Combined(parts As IEnumerable(Of MassData)) As MassData
            Dim total As New MassData()
            Dim moment = {0.0, 0.0, 0.0}
            For Each part In parts
                total.Mass += part.Mass
                total.Volume += part.Volume
                For axis = 0 To 2
                    moment(axis) += part.Mass * part.Center(axis)
                Next
            Next
            If total.Mass = 0 Then Return total
            total.Center = {moment(0) / total.Mass, moment(1) / total.Mass, moment(2) / total.Mass}
            For Each part In parts
                Dim arm = {part.Center(0) - total.Center(0), part.Center(1) - total.Center(1),
                           part.Center(2) - total.Center(2)}
                Dim square = arm(0) * arm(0) + arm(1) * arm(1) + arm(2) * arm(2)
                For row = 0 To 2
                    For column = 0 To 2
                        total.Tensor(row, column) += part.Tensor(row, column) - part.Mass * arm(row) * arm(column)
                    Next
                    total.Tensor(row, row) += part.Mass * square
                Next
            Next
            Return total
        End Function
    End Class

    ''' <summary>A box (edge lengths) or a cylinder (radius, length along z), centred on its own frame.</summary>
    Public NotInheritable Class Solid
        Private Const Facets As Integer = 128

        Private ReadOnly shape As String
        Private ReadOnly size As Double()
        Private ReadOnly pose As Pose

        Public Sub New(shape As String, size As Double(), pose As Pose)
            Me.shape = shape
            Me.size = size
            Me.pose = pose
        End Sub

        Public ReadOnly Property Volume As Double
            Get
                Return If(shape = "box", size(0) * size(1) * size(2), PI * size(0) * size(0) * size(1))
            End Get
        End Property

        Public Function MassData(density As Double) As MassData
            Dim result As New MassData() With {.Volume = Volume, .Mass = density * Volume}
            If shape = "box" Then
                For axis = 0 To 2
                    Dim b = size((axis + 1) Mod 3), c = size((axis + 2) Mod 3)
                    result.Tensor(axis, axis) = result.Mass * (b * b + c * c) / 12
                Next
            Else
                Dim radius = size(0), length = size(1)
                result.Tensor(0, 0) = result.Mass * (3 * radius * radius + length * length) / 12
                result.Tensor(1, 1) = result.Tensor(0, 0)
                result.Tensor(2, 2) = result.Mass * radius * radius / 2
            End If
            Return result.Placed(pose)
        End Function

        ''' <summary>Triangles as corners in the part's frame, seen from outside counter-clockwise.</summary>
        Public Function Triangles() As List(Of Double()())
            Dim outline = If(shape = "box", BoxOutline(), CylinderOutline())
            Dim half = If(shape = "box", size(2), size(1)) / 2
            Dim result As New List(Of Double()())()
            For index = 0 To outline.Count - 1
                Dim a = outline(index), b = outline((index + 1) Mod outline.Count)
                AddQuad(result, {a(0), a(1), -half}, {b(0), b(1), -half}, {b(0), b(1), half}, {a(0), a(1), half})
                result.Add({pose.Apply({0.0, 0.0, half}), pose.Apply({a(0), a(1), half}), pose.Apply({b(0), b(1), half})})
                result.Add({pose.Apply({0.0, 0.0, -half}), pose.Apply({b(0), b(1), -half}), pose.Apply({a(0), a(1), -half})})
            Next
            Return result
        End Function

        Private Sub AddQuad(target As List(Of Double()()), a As Double(), b As Double(), c As Double(), d As Double())
            target.Add({pose.Apply(a), pose.Apply(b), pose.Apply(c)})
            target.Add({pose.Apply(a), pose.Apply(c), pose.Apply(d)})
        End Sub

        Private Function BoxOutline() As List(Of Double())
            Dim x = size(0) / 2, y = size(1) / 2
            Return New List(Of Double())() From {
                New Double() {x, y}, New Double() {-x, y}, New Double() {-x, -y}, New Double() {x, -y}}
        End Function

        Private Function CylinderOutline() As List(Of Double())
            Dim result As New List(Of Double())()
            For index = 0 To Facets - 1
                Dim angle = 2 * PI * index / Facets
                result.Add({size(0) * Cos(angle), size(0) * Sin(angle)})
            Next
            Return result
        End Function

        ''' <summary>Smallest and largest corner, padded on every side by a share of the size.</summary>
        Public Shared Function Bounds(solids As IEnumerable(Of Solid), padding As Double) As Double()()
            Dim low = {Double.MaxValue, Double.MaxValue, Double.MaxValue}
            Dim high = {Double.MinValue, Double.MinValue, Double.MinValue}
            For Each solid In solids
                For Each triangle In solid.Triangles()
                    For Each corner In triangle
                        For axis = 0 To 2
                            low(axis) = Min(low(axis), corner(axis))
                            high(axis) = Max(high(axis), corner(axis))
                        Next
                    Next
                Next
            Next
            If low(0) > high(0) Then Return {New Double() {0, 0, 0}, New Double() {0, 0, 0}}
            For axis = 0 To 2
                Dim pad = padding * (high(axis) - low(axis))
                low(axis) -= pad
                high(axis) += pad
            Next
            Return {low, high}
        End Function

        Public Function Moved(placement As Pose) As Solid
            Return New Solid(shape, size, placement * pose)
        End Function
    End Class
End Namespace
