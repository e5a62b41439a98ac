package attribute

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
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
	for value, expected := range map[string]bool{"10.0.0.0/8": false, "10.0.0.1": false, "2001:db8::/32": false, "2001:0db8::1": true, "10.0.0.1/8": true, "::ffff:10.0.0.1": true, "x": true} {
		if isRefused(t, AddressOrNetwork(), value) != expected {
			t.Errorf("%q is refused: %t", value, !expected)
		}
	}
	for value, expected := range map[string]bool{"10.0.0.0/8": false, "10.0.0.1/8": true, "10.0.0.0": true} {
		if isRefused(t, Network(), value) != expected {
			t.Errorf("%q is refused: %t", value, !expected)
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
