package attribute

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
)

// same keeps the value of the state if the configuration only spells it in another way. Otherwise an imported resource would change.
type same struct {
	what  string
	equal func(one, two string) bool
}

func (s same) Description(context.Context) string {
	return "Another spelling of the same " + s.what + " is not a change."
}
func (s same) MarkdownDescription(ctx context.Context) string { return s.Description(ctx) }

func (s same) PlanModifyString(_ context.Context, request planmodifier.StringRequest, response *planmodifier.StringResponse) {
	if request.PlanValue.IsUnknown() || request.PlanValue.IsNull() || request.StateValue.IsNull() {
		return
	}
	if s.equal(request.PlanValue.ValueString(), request.StateValue.ValueString()) {
		response.PlanValue = request.StateValue
	}
}

var (
	sameTime = same{"time", func(one, two string) bool {
		first, err := time.Parse(time.RFC3339, one)
		second, otherErr := time.Parse(time.RFC3339, two)
		return err == nil && otherErr == nil && first.Equal(second)
	}}
	// The server compares addresses without regard to case, and shows them as they were typed.
	sameAddress = same{"address", strings.EqualFold}
	sameJSON    = same{"JSON", func(one, two string) bool {
		var first, second any
		return json.Unmarshal([]byte(one), &first) == nil && json.Unmarshal([]byte(two), &second) == nil &&
			reflect.DeepEqual(withoutEmpty(first), withoutEmpty(second))
	}}
)

// IsSameAddress is true for two spellings of an e-mail address.
func IsSameAddress(one, two string) bool { return sameAddress.equal(one, two) }

// IsSameJSON is true for two spellings of the same value.
func IsSameJSON(one, two string) bool { return sameJSON.equal(one, two) }

// withoutEmpty removes empty objects and lists from objects, because the server adds them.
func withoutEmpty(value any) any {
	object, ok := value.(map[string]any)
	if !ok {
		return value
	}
	kept := map[string]any{}
	for key, inner := range object {
		if inner = withoutEmpty(inner); !IsEmpty(inner) {
			kept[key] = inner
		}
	}
	return kept
}

// IsEmpty is true for an object or a list without members.
func IsEmpty(value any) bool {
	switch all := value.(type) {
	case map[string]any:
		return len(all) == 0
	case []any:
		return len(all) == 0
	}
	return false
}
