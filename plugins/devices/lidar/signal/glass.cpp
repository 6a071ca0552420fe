#include "glass.h"

#include <algorithm>
#include <iterator>

#include "../constants.h"
#include "reflection.h"

namespace protobeam {
namespace {

constexpr float kDark = 1e-3f;  ///< share of light that is not worth following

}  // namespace

Echo EchoModel::echo(const RayBlock& b, std::size_t i, float reflectance, std::uint32_t number,
                     float share, float& out_left) const {
  out_left = 0;
  const float r = b.range[i];
  if (!(r < kInfinity)) return {r, 0};
  if (in_.surfaces && number != 0) {
    const float transmission = in_.surfaces->transmission()[number];
    if (transmission > 0) out_left = share * two_way_transmission(transmission, b.cosine[i]);
    if (out_left < kDark) out_left = 0;
  }
  const std::uint32_t label = in_.labels ? in_.labels->at(b.instance[i], b.shape[i]) : 0;
  return {r, share * reflectance * budget_.white(r) * through_air(r), label};
}

std::vector<Behind> look_through_glass(const EchoModel& model, const RayBatch& batch,
                                       std::vector<Onward> onward) {
  const SampleInput& in = model.input();
  std::vector<Behind> behind;
  std::vector<float> near, columns[7];
  for (int face = 0; face < kMostFaces && !onward.empty(); ++face) {
    RayBatch rest = batch;
    rest.tiles = nullptr;  // of all rays
    rest.count = onward.size();
    near.clear();
    // The face itself is behind the ray: a millimetre, and what single precision may lose.
    for (const Onward& o : onward) near.push_back(o.range * (1 + 1e-5f) + 1e-3f);
    rest.near = near.data();
    const float** axes[] = {&rest.dx, &rest.dy, &rest.dz, &rest.ox, &rest.oy, &rest.oz, &rest.time};
    for (std::size_t a = 0; a < std::size(axes); ++a) {
      if (!*axes[a]) continue;
      columns[a].clear();
      for (const Onward& o : onward) columns[a].push_back((*axes[a])[o.ray]);
      *axes[a] = columns[a].data();
    }
    std::vector<Behind> found(onward.size());
    in.visible->cast(rest, [&](const RayBlock& block) {
      for (std::size_t i = 0; i < block.count; ++i) {
        Onward& o = onward[block.first + i];
        float reflectance, left;
        std::uint32_t number;
        reflect(block, i, 1, in.surfaces, {&reflectance, &number});
        found[block.first + i] = {o.ray, model.echo(block, i, reflectance, number, o.left, left)};
        o.range = block.range[i];
        o.left = left;
      }
    });
    behind.insert(behind.end(), found.begin(), found.end());
    std::erase_if(onward, [](const Onward& o) { return o.left <= 0; });
  }
  std::stable_sort(behind.begin(), behind.end(),
                   [](const Behind& a, const Behind& b) { return a.ray < b.ray; });
  return behind;
}

}  // namespace protobeam
