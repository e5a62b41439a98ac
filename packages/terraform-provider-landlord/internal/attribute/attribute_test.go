package attribute

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/oapi-codegen/nullable"
)

func isRefused(t *testing.T, by validator.String, value string) bool {
	t.Helper()
	var response validator.StringResponse
	by.ValidateString(t.Context(), validator.StringRequest{ConfigValue: types.StringValue(value)}, &response)
	return response.Diagnostics.HasError()
}

func TestValuesThatTheServerWouldChangeAreRefused(t *testing.T) {
	for value, expected := range map[string]bool{"a b": false, "": true, " a": true, "a\n": true} {
		if isRefused(t, Trimmed(), value) != expected {
			t.Errorf("%q is refused: %t", value, !expected)
		}
	}
	for value, expected := range map[string]bool{"10.0.0.0/8": false, "10.0.0.1": false, "2001:db8::/32": false, "2001:0db8::1": true, "10.0.0.1/8": true, "::ffff:10.0.0.1": true, "::ffff:10.0.0.0/104": true, "::/0": false, "0.0.0.0/0": false, "203.0.113.7/0": true,
		"fe80::1%eth0": true, "010.0.0.1": true, "0x0a000001": true, "10.0.0.0/08": true, "10.0.0.0/255.0.0.0": true, " 10.0.0.1": true, "１０.0.0.1": true, "2001:db8::1/64": true, "x": true} {
		if isRefused(t, AddressOrNetwork(), value) != expected {
			t.Errorf("%q is refused: %t", value, !expected)
		}
	}
	for value, expected := range map[string]bool{"10.0.0.0/8": false, "10.0.0.1/8": true, "10.0.0.0": true, "2001:db8::/32": true, "::ffff:10.0.0.0/104": true, "203.0.113.7/0": true} {
		if isRefused(t, Network(), value) != expected {
			t.Errorf("%q is refused: %t", value, !expected)
		}
	}
}

func TestBitsOfHostsAreRefusedWithBothMeanings(t *testing.T) {
	for value, meanings := range map[string]string{
		"203.0.113.7/24":         "203.0.113.7/32 or 203.0.113.0/24",
		"203.0.113.7/0":          "203.0.113.7/32 or 0.0.0.0/0",
		"2001:db8::1/64":         "2001:db8::1/128 or 2001:db8::/64",
		"::ffff:203.0.113.7/120": "203.0.113.7/32 or 203.0.113.0/24",
	} {
		response := validator.StringResponse{}
		AddressOrNetwork().ValidateString(t.Context(), validator.StringRequest{ConfigValue: types.StringValue(value)}, &response)
		if len(response.Diagnostics) != 1 || response.Diagnostics[0].Detail() != "Did you mean "+meanings+"?" {
			t.Errorf("%s: %v", value, response.Diagnostics)
		}
	}
}

func TestARefusedSecretIsNotShown(t *testing.T) {
	made := SecretJSON("Secrets.", Optional)
	if !made.Sensitive || made.CustomType != nil {
		t.Error("the type shows the text")
	}
	for value, expected := range map[string]bool{`{"token": "hidden"}`: false, "hidden": true, `"hidden"`: true, "null": true} {
		response := validator.StringResponse{}
		made.Validators[0].ValidateString(t.Context(), validator.StringRequest{ConfigValue: types.StringValue(value)}, &response)
		if response.Diagnostics.HasError() != expected {
			t.Errorf("%q is refused: %t", value, !expected)
		}
		for _, one := range response.Diagnostics {
			if strings.Contains(one.Summary()+one.Detail(), "hidden") {
				t.Errorf("the error shows the text: %s", one.Detail())
			}
		}
	}
}

func TestAnotherSpellingOfATimeIsNoChange(t *testing.T) {
	before := timetypes.NewRFC3339ValueMust("2099-01-01T01:00:00+01:00")
	if found := SameTime("2099-01-01T00:00:00.000Z", before); found != before {
		t.Errorf("found %s", found)
	}
	if found := SameTime("2099-01-01T00:00:01.000Z", before).ValueString(); found != "2099-01-01T00:00:01Z" {
		t.Errorf("found %s", found)
	}
}

func TestAnotherSpellingOfJSONIsNoChange(t *testing.T) {
	if !sameJSON.equal(`{"a": {"b": 1.0}, "c": {}}`, `{"a":{"b":1}}`) {
		t.Error("the values are different")
	}
	if sameJSON.equal(`{"a": 1}`, `{"a": 2}`) || sameJSON.equal(`{"a": 1}`, `{"b": 1}`) {
		t.Error("the values are the same")
	}
}

func TestNullAndTheEmptyTextAreEqual(t *testing.T) {
	null, empty, text := nullable.NewNullNullable[string](), nullable.NewNullableWithValue(""), nullable.NewNullableWithValue("x")
	for _, one := range []struct {
		read             nullable.Nullable[string]
		before, expected types.String
	}{
		{null, types.StringValue(""), types.StringValue("")},
		{empty, types.StringValue(""), types.StringValue("")},
		{null, types.StringNull(), types.StringNull()},
		{empty, types.StringNull(), types.StringNull()},
		{null, types.StringValue("x"), types.StringNull()},
		{text, types.StringValue(""), types.StringValue("x")},
	} {
		if found := TextOf(one.read, one.before); !found.Equal(one.expected) {
			t.Errorf("%v after %s is %s", one.read, one.before, found)
		}
	}
	for value, expected := range map[string]bool{"": false, "a b": false, " a": true} {
		if isRefused(t, Text("CreateDivisionDto.description", Optional).Validators[0], value) != expected {
			t.Errorf("%q is refused: %t", value, !expected)
		}
	}
}

func TestOnlyAnotherTextReplacesAFixedResource(t *testing.T) {
	shape := schema.Schema{Attributes: map[string]schema.Attribute{"remarks": Text("CreateAccessRuleDto.remarks", OptionalFixed)}}
	kind := shape.Type().TerraformType(t.Context())
	rawOf := func(value types.String) tftypes.Value {
		remarks, _ := value.ToTerraformValue(t.Context())
		return tftypes.NewValue(kind, map[string]tftypes.Value{"remarks": remarks})
	}
	for _, one := range []struct {
		state, plan types.String
		expected    bool
	}{
		{types.StringNull(), types.StringValue(""), false},
		{types.StringValue(""), types.StringNull(), false},
		{types.StringNull(), types.StringValue("x"), true},
		{types.StringValue("x"), types.StringValue(""), true},
		{types.StringValue("x"), types.StringNull(), true},
		{types.StringNull(), types.StringUnknown(), true},
	} {
		response := planmodifier.StringResponse{PlanValue: one.plan}
		request := planmodifier.StringRequest{
			StateValue: one.state, PlanValue: one.plan, ConfigValue: one.plan,
			State: tfsdk.State{Schema: shape, Raw: rawOf(one.state)}, Plan: tfsdk.Plan{Schema: shape, Raw: rawOf(one.plan)},
		}
		shape.Attributes["remarks"].(schema.StringAttribute).PlanModifiers[0].PlanModifyString(t.Context(), request, &response)
		if response.RequiresReplace != one.expected {
			t.Errorf("%s after %s replaces: %t", one.plan, one.state, response.RequiresReplace)
		}
	}
}
