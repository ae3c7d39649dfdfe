' The part of Autodesk Inventor's API that the rule uses, as the reference manual documents it: names, signatures, enum
' numbers. Interfaces, because the real ones are: a property may hand out an object that does not have the interface it
' is declared with. INVENTOR is the release by its year; members are absent before the release that introduced them.

Namespace Global.Inventor
    Public Enum AssemblyJointTypeEnum
        kRigidJointType = 102401
        kRotationalJointType = 102402
        kSlideJointType = 102403
        kCylindricalJointType = 102404
        kPlanarJointType = 102405
        kBallJointType = 102406
    End Enum

    Public Enum HealthStatusEnum
        kUnknownHealth = 11777
        kUpToDateHealth = 11778
        kOutOfDateHealth = 11779
        kDriverLostHealth = 11780
        kInErrorHealth = 11781
        kDeletedHealth = 11782
        kCannotComputeHealth = 11783
        kSuppressedHealth = 11784
        kBeyondStopNodeHealth = 11785
        kInconsistentHealth = 11786
        kRedundantHealth = 11787
        kNewlyAddedHealth = 11788
        kInvalidLimitsHealth = 11789
        kJointDOFLockedHealth = 11790
    End Enum

    Public Enum DocumentTypeEnum
        kUnknownDocumentObject = 12289
        kPartDocumentObject = 12290
        kAssemblyDocumentObject = 12291
    End Enum

    Public Enum BOMStructureEnum
        kDefaultBOMStructure = 51969
        kNormalBOMStructure = 51970
        kPhantomBOMStructure = 51971
        kReferenceBOMStructure = 51972
        kPurchasedBOMStructure = 51973
        kInseparableBOMStructure = 51974
    End Enum

    Public Enum ObjectTypeEnum
        kAssemblyJointObject = 100706560
        kComponentOccurrenceObject = 67113776
        kComponentOccurrenceProxyObject = 67113888
        kVirtualComponentDefinitionObject = 100675072
    End Enum

    Public Enum IOMechanismEnum
        kUnspecifiedIOMechanism = 13057
        kDataDropIOMechanism = 13058
        kFileBrowseIOMechanism = 13059
    End Enum

    Public Enum DriveTypeEnum
        kDriveAngleType = 100865
        kDriveLinearPositionType = 100866
        kDriveOffsetType = 100867
        kDriveAngularPositionType = 100868
    End Enum

    Public Interface Point
        ReadOnly Property X As Double
        ReadOnly Property Y As Double
        ReadOnly Property Z As Double
    End Interface

    Public Interface UnitVector
        ReadOnly Property X As Double
        ReadOnly Property Y As Double
        ReadOnly Property Z As Double
    End Interface

    Public Interface Box
        ReadOnly Property MinPoint As Point
        ReadOnly Property MaxPoint As Point
    End Interface

    Public Interface Matrix
        Property Cell(Row As Integer, Col As Integer) As Double
    End Interface

    ' These four are names that a rule writes when it means System.IO or System.Windows.Forms: with both in scope the
    ' compiler calls them ambiguous.
    Public Interface Path
    End Interface
    Public Interface File
    End Interface
    Public Interface TextBox
    End Interface
    Public Interface Environment
    End Interface

    Public Interface Application
        ReadOnly Property ApplicationAddIns As ApplicationAddIns
        ReadOnly Property TransientObjects As TransientObjects
        ReadOnly Property TransactionManager As TransactionManager
        ReadOnly Property SoftwareVersion As SoftwareVersion
        ReadOnly Property ActiveDocument As Document
        Property StatusBarText As String
        Property ScreenUpdating As Boolean
        Property SilentOperation As Boolean
    End Interface

    Public Interface SoftwareVersion
        ReadOnly Property DisplayVersion As String
        ReadOnly Property Major As Integer
    End Interface

    Public Interface ApplicationAddIns
        ReadOnly Property ItemById(ClientId As String) As ApplicationAddIn
    End Interface

    Public Interface ApplicationAddIn
        ReadOnly Property Activated As Boolean
        Sub Activate()
    End Interface

    Public Interface TranslatorAddIn
        Inherits ApplicationAddIn
        ReadOnly Property HasSaveCopyAsOptions(SourceObject As Object, Context As TranslationContext,
                                               DefaultOptions As NameValueMap) As Boolean
        Sub SaveCopyAs(SourceObject As Object, Context As TranslationContext, Options As NameValueMap,
                       TargetData As DataMedium)
    End Interface

    Public Interface TransientObjects
        Function CreateTranslationContext() As TranslationContext
        Function CreateNameValueMap() As NameValueMap
        Function CreateDataMedium() As DataMedium
    End Interface

    Public Interface TranslationContext
        Property Type As IOMechanismEnum
    End Interface

    Public Interface NameValueMap
        Property Value(Name As String) As Object
    End Interface

    Public Interface DataMedium
        Property FileName As String
    End Interface

    Public Interface TransactionManager
        Function StartTransaction(Document As Document, DisplayName As String) As Transaction
    End Interface

    Public Interface Transaction
        Sub [End]()
        Sub Abort()
    End Interface

    Public Interface Document
        ReadOnly Property DocumentType As DocumentTypeEnum
        ReadOnly Property DisplayName As String
        ReadOnly Property FullFileName As String
        ReadOnly Property FullDocumentName As String
        ReadOnly Property PropertySets As PropertySets
        Property Dirty As Boolean
        Sub Update()
        Sub Update2(Optional AcceptErrorsAndContinue As Boolean = True)
        Sub SaveAs(FileName As String, SaveCopyAs As Boolean)
    End Interface

    Public Interface AssemblyDocument
        Inherits Document
        ReadOnly Property ComponentDefinition As AssemblyComponentDefinition
    End Interface

    Public Interface PartDocument
        Inherits Document
        ReadOnly Property ComponentDefinition As PartComponentDefinition
        ReadOnly Property ActiveMaterial As Asset
    End Interface

    Public Interface DocumentDescriptor
        ReadOnly Property FullDocumentName As String
    End Interface

    Public Interface PropertySets
        Default ReadOnly Property Item(Index As Object) As PropertySet
    End Interface

    Public Interface PropertySet
        Default ReadOnly Property Item(Index As Object) As [Property]
    End Interface

    Public Interface [Property]
        Property Value As Object
    End Interface

    Public Interface Asset
        Inherits System.Collections.IEnumerable
        ReadOnly Property DisplayName As String
        ReadOnly Property Count As Integer
        Default ReadOnly Property Item(Index As Object) As AssetValue
    End Interface

    Public Interface AssetValue
        ReadOnly Property Name As String
    End Interface

    Public Interface ColorAssetValue
        Inherits AssetValue
        ReadOnly Property Value As Color
    End Interface

    Public Interface FloatAssetValue
        Inherits AssetValue
        ReadOnly Property Value As Double
    End Interface

    Public Interface Color
        ReadOnly Property Red As Byte
        ReadOnly Property Green As Byte
        ReadOnly Property Blue As Byte
        ReadOnly Property Opacity As Double
    End Interface

    ' The base of parts and assemblies has neither mass nor bodies: those are the derived ones'.
    Public Interface ComponentDefinition
        ReadOnly Property Document As Object
#If INVENTOR >= 2023 Then
        ReadOnly Property PreciseRangeBox As Box
#End If
    End Interface

    Public Interface PartComponentDefinition
        Inherits ComponentDefinition
        ReadOnly Property RangeBox As Box
        ReadOnly Property SurfaceBodies As SurfaceBodies
        ReadOnly Property MassProperties As MassProperties
        ReadOnly Property UserCoordinateSystems As UserCoordinateSystems
    End Interface

    Public Interface AssemblyComponentDefinition
        Inherits ComponentDefinition
        ReadOnly Property RangeBox As Box
        ReadOnly Property SurfaceBodies As SurfaceBodies
        ReadOnly Property MassProperties As MassProperties
        ReadOnly Property UserCoordinateSystems As UserCoordinateSystems
        ReadOnly Property Occurrences As ComponentOccurrences
        ReadOnly Property Joints As AssemblyJoints
        ReadOnly Property Constraints As AssemblyConstraints
    End Interface

    Public Interface VirtualComponentDefinition
        Inherits ComponentDefinition
    End Interface

    Public Interface ComponentOccurrences
        Inherits System.Collections.IEnumerable
        ReadOnly Property Count As Integer
        Default ReadOnly Property Item(Index As Integer) As ComponentOccurrence
    End Interface

    Public Interface ComponentOccurrencesEnumerator
        Inherits System.Collections.IEnumerable
        ReadOnly Property Count As Integer
        Default ReadOnly Property Item(Index As Integer) As ComponentOccurrence
    End Interface

    Public Interface ComponentOccurrence
        ReadOnly Property Type As ObjectTypeEnum
        ReadOnly Property Name As String
        ReadOnly Property Definition As ComponentDefinition
        ReadOnly Property DefinitionDocumentType As DocumentTypeEnum
        ReadOnly Property ParentOccurrence As ComponentOccurrence
        ReadOnly Property ReferencedDocumentDescriptor As DocumentDescriptor
        ReadOnly Property SubOccurrences As ComponentOccurrencesEnumerator
        ReadOnly Property Transformation As Matrix
        ReadOnly Property Grounded As Boolean
        ReadOnly Property Visible As Boolean
        ReadOnly Property Suppressed As Boolean
        ReadOnly Property Excluded As Boolean
        ReadOnly Property Flexible As Boolean
        ReadOnly Property BOMStructure As BOMStructureEnum
        ReadOnly Property Appearance As Asset
        ReadOnly Property MassProperties As MassProperties
        ReadOnly Property RangeBox As Box
#If INVENTOR >= 2022 Then
        ReadOnly Property ActiveModelState As String
#End If
#If INVENTOR >= 2023 Then
        ReadOnly Property PreciseRangeBox As Box
#End If
    End Interface

    Public Interface ComponentOccurrenceProxy
        Inherits ComponentOccurrence
        ReadOnly Property ContainingOccurrence As ComponentOccurrence
        ReadOnly Property NativeObject As ComponentOccurrence
    End Interface

    Public Interface SurfaceBodies
        Inherits System.Collections.IEnumerable
        ReadOnly Property Count As Integer
        Default ReadOnly Property Item(Index As Integer) As SurfaceBody
    End Interface

    Public Interface SurfaceBody
        ReadOnly Property Name As String
        ReadOnly Property Visible As Boolean
        ReadOnly Property IsSolid As Boolean
        ReadOnly Property Volume(PrecisionPercent As Double) As Double
        ReadOnly Property Appearance As Asset
#If INVENTOR >= 2022 Then
        ReadOnly Property PreciseRangeBox As Box
#End If
#If INVENTOR >= 2023 Then
        ReadOnly Property MassProperties As SurfaceBodyMassProperties
#End If
    End Interface

    Public Interface MassProperties
        ReadOnly Property Mass As Double
        ReadOnly Property Volume As Double
        ReadOnly Property CenterOfMass As Point
        ReadOnly Property MassOverridden As Boolean
        Property CacheResultsOnCompute As Boolean
        Sub XYZMomentsOfInertia(ByRef Ixx As Double, ByRef Iyy As Double, ByRef Izz As Double,
                                ByRef Ixy As Double, ByRef Iyz As Double, ByRef Ixz As Double)
    End Interface

#If INVENTOR >= 2023 Then
    Public Interface SurfaceBodyMassProperties
        ReadOnly Property Mass As Double
        ReadOnly Property Volume As Double
        ReadOnly Property CenterOfMass As Point
        Sub XYZMomentsOfInertia(ByRef Ixx As Double, ByRef Iyy As Double, ByRef Izz As Double,
                                ByRef Ixy As Double, ByRef Iyz As Double, ByRef Ixz As Double,
                                Optional ByRef OverriddenMass As Object = Nothing)
    End Interface
#End If

    Public Interface UserCoordinateSystems
        Inherits System.Collections.IEnumerable
        ReadOnly Property Count As Integer
        Default ReadOnly Property Item(Index As Object) As UserCoordinateSystem
    End Interface

    Public Interface UserCoordinateSystem
        ReadOnly Property Name As String
        ReadOnly Property Transformation As Matrix
    End Interface

    Public Interface AssemblyJoints
        Inherits System.Collections.IEnumerable
        ReadOnly Property Count As Integer
        Default ReadOnly Property Item(Index As Object) As AssemblyJoint
    End Interface

    Public Interface AssemblyJoint
        ReadOnly Property Type As ObjectTypeEnum
        Property Name As String
        Property Definition As AssemblyJointDefinition
        ReadOnly Property OccurrenceOne As ComponentOccurrence
        ReadOnly Property OccurrenceTwo As ComponentOccurrence
        ReadOnly Property AffectedOccurrenceOne As ComponentOccurrence
        ReadOnly Property AffectedOccurrenceTwo As ComponentOccurrence
        Property Suppressed As Boolean
        Property Locked As Boolean
        Property [Protected] As Boolean
        ReadOnly Property HealthStatus As HealthStatusEnum
        ReadOnly Property DriveSettings As DriveSettings
    End Interface

    Public Interface AssemblyJointDefinition
        ReadOnly Property JointType As AssemblyJointTypeEnum
        ReadOnly Property OriginOne As GeometryIntent
        ReadOnly Property OriginTwo As GeometryIntent
        Property AngularPosition As Object
        Property LinearPosition As Object
        ReadOnly Property HasAngularPositionLimits As Boolean
        ReadOnly Property AngularPositionStartLimit As Object
        ReadOnly Property AngularPositionEndLimit As Object
        ReadOnly Property HasLinearPositionStartLimit As Boolean
        ReadOnly Property HasLinearPositionEndLimit As Boolean
        ReadOnly Property LinearPositionStartLimit As Object
        ReadOnly Property LinearPositionEndLimit As Object
    End Interface

    Public Interface ModelParameter
        ReadOnly Property Name As String
        ' A number, as Variant: other parameters hold texts and flags.
        Property Value As Object
        ReadOnly Property ModelValue As Object
        Property Expression As String
    End Interface

    Public Interface DriveSettings
        Property DriveType As DriveTypeEnum
        Property StartValue As String
        Property EndValue As String
        Sub GoToStart()
    End Interface

    Public Interface GeometryIntent
        ReadOnly Property Geometry As Object
        ReadOnly Property Point As Point
    End Interface

    Public Interface Face
        ReadOnly Property Geometry As Object
    End Interface

    Public Interface FaceProxy
        Inherits Face
        ReadOnly Property ContainingOccurrence As ComponentOccurrence
    End Interface

    Public Interface Cylinder
        ReadOnly Property BasePoint As Point
        ReadOnly Property AxisVector As UnitVector
    End Interface

    Public Interface Plane
        ReadOnly Property RootPoint As Point
        ReadOnly Property Normal As UnitVector
    End Interface

    Public Interface Sphere
        ReadOnly Property CenterPoint As Point
    End Interface

    Public Interface Edge
        ReadOnly Property Geometry As Object
    End Interface

    Public Interface Circle
        ReadOnly Property Center As Point
        ReadOnly Property Normal As UnitVector
    End Interface

    Public Interface AssemblyConstraints
        Inherits System.Collections.IEnumerable
        ReadOnly Property Count As Integer
        Default ReadOnly Property Item(Index As Object) As AssemblyConstraint
    End Interface

    Public Interface AssemblyConstraint
        ReadOnly Property Name As String
        ReadOnly Property OccurrenceOne As ComponentOccurrence
        ReadOnly Property OccurrenceTwo As ComponentOccurrence
        Property Suppressed As Boolean
        ReadOnly Property HealthStatus As HealthStatusEnum
    End Interface

    Public Interface RotateRotateConstraint
        Inherits AssemblyConstraint
        ReadOnly Property Ratio As ModelParameter
        ReadOnly Property ForwardDirection As Boolean
    End Interface

    Public Interface RotateTranslateConstraint
        Inherits AssemblyConstraint
        ReadOnly Property Ratio As ModelParameter
        ReadOnly Property ForwardDirection As Boolean
    End Interface

    Public Interface TranslateTranslateConstraint
        Inherits AssemblyConstraint
        ReadOnly Property Ratio As ModelParameter
        ReadOnly Property ForwardDirection As Boolean
    End Interface
End Namespace
