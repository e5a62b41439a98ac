package runtime

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/landlord/terraform-provider-landlord/internal/attribute"
)

// mask is what the server shows instead of a secret.
const mask = "********"

// configValues are the values of a configuration. The secrets are apart, so that a plan shows the others.
type configValues struct {
	Values       jsontypes.Normalized `tfsdk:"values"`
	SecretValues types.String         `tfsdk:"secret_values"`
}

func valuesAttributes() (values, secrets schema.StringAttribute) {
	values = attribute.JSON("JSON of the values by section of the schema. A key that is left out has its default. Use `jsonencode`.", attribute.Required)
	secrets = attribute.SecretJSON("JSON in the same form for the secrets among the values. The API does not show secrets, so a change of a secret outside of Terraform is not seen.", attribute.Optional)
	return values, secrets
}

type object = map[string]any

// sent returns all values, the secrets among the others.
func (v configValues) sent() (object, error) {
	values, err := objectOf(v.Values.StringValue)
	if err != nil {
		return nil, fmt.Errorf("values: %w", err)
	}
	secrets, err := objectOf(v.SecretValues)
	if err != nil {
		return nil, fmt.Errorf("secret_values: %w", err)
	}
	merge(values, secrets)
	return values, nil
}

func merge(into, from object) {
	for key, value := range from {
		inner, isObject := value.(object)
		known, isKnown := into[key].(object)
		if isObject && isKnown {
			merge(known, inner)
		} else {
			into[key] = value
		}
	}
}

// take reads the values of a record. A masked value stays what it is in the state.
func (v *configValues) take(view object) error {
	values, _ := objectOf(v.Values.StringValue)
	secrets, _ := objectOf(v.SecretValues)
	shown, hidden := apart(view, values, secrets)
	encoded, err := json.Marshal(shown)
	if err != nil {
		return err
	}
	v.Values = jsontypes.NewNormalizedValue(string(encoded))
	if len(hidden) == 0 && v.SecretValues.IsNull() {
		return nil
	}
	if encoded, err = json.Marshal(hidden); err != nil {
		return err
	}
	if !attribute.IsSameJSON(string(encoded), v.SecretValues.ValueString()) {
		v.SecretValues = types.StringValue(string(encoded))
	}
	return nil
}

// apart separates the secrets from the other values. Known secrets get the value of the state, at the place that the state has them.
func apart(view, values, secrets object) (shown, hidden object) {
	shown, hidden = object{}, object{}
	for key, value := range view {
		inner, isObject := value.(object)
		known, isKnown := values[key]
		secret, isSecret := secrets[key]
		knownInner, _ := known.(object)
		secretInner, _ := secret.(object)
		switch {
		case attribute.IsEmpty(value) && !isKnown && !isSecret:
			// The server adds empty objects and lists.
		case isObject:
			shownInner, hiddenInner := apart(inner, knownInner, secretInner)
			if len(shownInner) > 0 || len(hiddenInner) == 0 || isKnown {
				shown[key] = shownInner
			}
			if len(hiddenInner) > 0 || isSecret {
				hidden[key] = hiddenInner
			}
		case isMasked(value) && isKnown:
			shown[key] = known
		case isMasked(value) && isSecret:
			hidden[key] = secret
		case isMasked(value):
			hidden[key] = value
		case isSecret:
			// The schema does not call the value a secret, but the user does.
			hidden[key] = value
		default:
			shown[key] = value
		}
	}
	return shown, hidden
}

// isMasked is true for a mask, and for a list with a mask in it.
func isMasked(value any) bool {
	switch value := value.(type) {
	case string:
		return value == mask
	case []any:
		return slices.ContainsFunc(value, isMasked)
	case object:
		return slices.ContainsFunc(slices.Collect(maps.Values(value)), isMasked)
	}
	return false
}

// objectOf returns an empty object for null.
func objectOf(text types.String) (object, error) {
	found := object{}
	if text.IsNull() || text.IsUnknown() {
		return found, nil
	}
	if err := json.Unmarshal([]byte(text.ValueString()), &found); err != nil {
		return nil, err
	}
	return found, nil
}
