// What libsdformat, Gazebo's own reader, makes of an SDF file: errors, or links, frames and joints with their
// poses in the model, one a line: kind, names, then numbers.
#include <cstdio>
#include <sdf/sdf.hh>

static void print(const ignition::math::Pose3d &pose) {
  printf(" %.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", pose.Pos().X(), pose.Pos().Y(), pose.Pos().Z(),
         pose.Rot().W(), pose.Rot().X(), pose.Rot().Y(), pose.Rot().Z());
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  sdf::Root root;
  int failed = 0;
  for (const auto &error : root.Load(argv[1])) {
    fprintf(stderr, "%s\n", error.Message().c_str());
    failed = 1;
  }
  if (failed || root.Model() == nullptr) return 1;
  const sdf::Model *model = root.Model();
  ignition::math::Pose3d pose;
  for (uint64_t i = 0; i < model->LinkCount(); ++i) {
    const sdf::Link *link = model->LinkByIndex(i);
    if (!link->SemanticPose().Resolve(pose, "__model__").empty()) return 1;
    printf("link %s %.17g", link->Name().c_str(), link->Inertial().MassMatrix().Mass());
    print(pose);
  }
  for (uint64_t i = 0; i < model->FrameCount(); ++i) {
    const sdf::Frame *frame = model->FrameByIndex(i);
    std::string body;
    if (!frame->SemanticPose().Resolve(pose, "__model__").empty()) return 1;
    if (!frame->ResolveAttachedToBody(body).empty()) return 1;
    printf("frame %s %s", frame->Name().c_str(), body.c_str());
    print(pose);
  }
  for (uint64_t i = 0; i < model->JointCount(); ++i) {
    const sdf::Joint *joint = model->JointByIndex(i);
    std::string parent, child;
    if (!joint->ResolveParentLink(parent).empty() || !joint->ResolveChildLink(child).empty()) return 1;
    if (!joint->SemanticPose().Resolve(pose, child).empty()) return 1;
    ignition::math::Vector3d axis(0, 0, 1);
    double lower = 0, upper = 0;
    if (const sdf::JointAxis *found = joint->Axis(0)) {
      axis = found->Xyz();
      lower = found->Lower();
      upper = found->Upper();
    }
    printf("joint %s %d %s %s %.17g %.17g %.17g %.17g %.17g", joint->Name().c_str(), static_cast<int>(joint->Type()),
           parent.c_str(), child.c_str(), axis.X(), axis.Y(), axis.Z(), lower, upper);
    print(pose);
  }
  return 0;
}
