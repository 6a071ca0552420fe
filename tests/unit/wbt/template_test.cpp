// PROTO bodies that JavaScript writes: what the script sees, and where its text stands.
#include "wbt_fixture.h"

namespace protobeam::wbt {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

class TemplateTest : public WbtTest {
 protected:
  LoadedWorld load_template(const std::string& interface, const std::string& body,
                            const std::string& nodes = "P { }") {
    write("protos/P.proto", "#VRML_SIM R2025a utf8\n# template language: javascript\nPROTO P [\n" +
                                interface + "]\n{\n" + body + "}\n");
    return load("EXTERNPROTO \"../protos/P.proto\"\n" + nodes);
  }
  /// customData of a robot that the template wrote.
  std::string said(const std::string& interface, const std::string& expression,
                   const std::string& nodes = "P { }") {
    const auto world =
        load_template(interface, "Robot { customData \"%<= " + expression + " >%\" }", nodes);
    return world.nodes.empty() ? "" : view(world.nodes[0]).string("customData");
  }
};

TEST_F(TemplateTest, statements_repeat_text) {
  const auto world = load_template("field SFInt32 n 3\n", R"(
  Group { children [
    %< for (let i = 0; i < fields.n.value; ++i) { >%
    Pose { translation %<= i * 0.5 >% 0 1 }
    %< } >%
  ] }
)");
  const auto poses = view(world.nodes.at(0)).nodes("children");
  ASSERT_THAT(poses, SizeIs(3));
  EXPECT_EQ(view(poses[2]).vec3("translation"), Vec3(1, 0, 1));
  EXPECT_THAT(poses[2]->place.to_string(), HasSubstr("P.proto:10:5"));
}

TEST_F(TemplateTest, values_of_every_type_reach_the_script) {
  const std::string interface = R"(
  field SFBool b TRUE
  field SFInt32 i 7
  field SFFloat f 0.25
  field SFString s "x\"y"
  field SFVec2f v2 1 2
  field SFVec3f v3 1 2 3
  field SFRotation r 0 0 1 0.5
  field SFColor c 0.1 0.2 0.3
  field MFFloat mf [ 1 2.5 ]
  field MFVec3f mv [ 1 2 3 4 5 6 ]
  field MFString ms [ "p" "q" ]
  field MFInt32 none [ ]
  field SFNode nil NULL
)";
  EXPECT_EQ(
      said(interface, R"([fields.b.value, fields.i.value, fields.f.value, fields.s.value.length,
      fields.v2.value.y, fields.v3.value.z, fields.r.value.a, fields.c.value.g,
      fields.mf.value[1], fields.mv.value[1].x, fields.ms.value.join('+'),
      fields.none.value.length, fields.nil.value === undefined].join('|'))"),
      "true|7|0.25|3|2|3|0.5|0.2|2.5|4|p+q|0|true");
}

TEST_F(TemplateTest, defaults_are_known_beside_values) {
  EXPECT_EQ(
      said("field SFFloat f 1\n", "fields.f.value + '/' + fields.f.defaultValue", "P { f 2 }"),
      "2/1");
}

TEST_F(TemplateTest, nodes_show_their_fields) {
  EXPECT_EQ(said("field SFNode shape NULL\n",
                 "fields.shape.value.node_name + ' ' + "
                 "fields.shape.value.fields.geometry.value.fields.size.value.y + ' ' + "
                 "fields.shape.value.fields.castShadows.value",
                 "P { shape Shape { geometry Box { size 1 5 1 } } }"),
            "Shape 5 true");
}

TEST_F(TemplateTest, nodes_of_protos_show_parameters_and_base) {
  write("protos/Ball.proto",
        "#VRML_SIM R2025a utf8\nPROTO Ball [ field SFFloat radius 0.5 ]\n"
        "{ Shape { geometry Sphere { radius IS radius } } }\n");
  EXPECT_EQ(
      said("field SFNode shape NULL\n",
           "fields.shape.value.node_name + ' ' + fields.shape.value.fields.radius.value + ' ' +"
           " fields.shape.value.super.node_name",
           "EXTERNPROTO \"../protos/Ball.proto\"\nP { shape Ball { radius 4 } }"),
      "Ball 4 Shape");
}

// What is inside a chain of joints by PROTOs would be told once for each joint.
TEST_F(TemplateTest, parameters_that_no_statement_names_are_not_told) {
  const std::string interface =
      "field SFString given \"\"\nunconnectedField SFString told \"\"\nfield MFNode children [ ]\n";
  const auto names = [&](const std::string& statement) {
    const auto world = load_template(
        interface,
        "%< " + statement + " const all = Object.keys(globalThis['fi' + 'elds']); >%\n" +
            "Robot { customData \"%<= all.join() >%\" name IS given children IS children }");
    return world.nodes.empty() ? "" : view(world.nodes[0]).string("customData");
  };
  EXPECT_EQ(names("fields.told.value;"), "told");
  EXPECT_EQ(names("typeof fields.told_;"), "") << "another name";
  EXPECT_EQ(names("const name = 'given'; fields[name].value;"), "children,given");
  EXPECT_EQ(names("const { given } = fields;"), "children,given");
}

TEST_F(TemplateTest, context_tells_where_the_script_runs) {
  EXPECT_EQ(said("",
                 "context.coordinate_system + ' ' + context.os + ' ' + "
                 "context.webots_version.major + ' ' + context.world.split('/').pop()",
                 "P { } WorldInfo { coordinateSystem \"NUE\" }"),
            "NUE linux R2025a test.wbt");
}

TEST_F(TemplateTest, instances_that_ask_for_their_id_differ) {
  const auto world = load_template("field SFString name \"a\"\n",
                                   "Robot { name IS name customData \"%<= context.id >%\" }",
                                   "P { } P { name \"b\" }");
  ASSERT_THAT(world.nodes, SizeIs(2));
  EXPECT_NE(view(world.nodes[0]).string("customData"), view(world.nodes[1]).string("customData"));
}

TEST_F(TemplateTest, IS_and_templates_work_side_by_side) {
  const auto world = load_template("field SFVec3f translation 1 2 3\nfield SFBool box TRUE\n", R"(
  Solid {
    translation IS translation
    %< if (fields.box.value) { >%
    boundingObject Box { }
    %< } >%
  }
)",
                                   "P { } P { box FALSE }");
  ASSERT_THAT(world.nodes, SizeIs(2));
  EXPECT_EQ(view(world.nodes[0]).vec3("translation"), Vec3(1, 2, 3));
  EXPECT_NE(view(world.nodes[0]).node("boundingObject"), nullptr);
  EXPECT_EQ(view(world.nodes[1]).node("boundingObject"), nullptr);
}

TEST_F(TemplateTest, def_and_use_work_in_rendered_text) {
  const auto world = load_template("", R"(
  Solid { children [ DEF S Shape { geometry Box { size %<= 1 + 1 >% 1 1 } } ] boundingObject USE S }
)");
  EXPECT_NE(view(world.nodes.at(0)).node("boundingObject"), nullptr);
}

}  // namespace
}  // namespace protobeam::wbt
