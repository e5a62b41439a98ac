package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-log/tflog"
	"github.com/landlord/terraform-provider-landlord/internal/attribute"
	"github.com/landlord/terraform-provider-landlord/internal/client"
	"github.com/landlord/terraform-provider-landlord/internal/crud"
)

// mask is what the server shows instead of a secret.
const mask = "********"

// configValues are the values of a configuration. The secrets are apart, so that a plan shows the others.
type configValues struct {
	Values       jsontypes.Normalized `tfsdk:"values"`
	SecretValues types.String         `tfsdk:"secret_values"`
	// SecretValuesWO is in the configuration only, never in a plan or a state.
	SecretValuesWO        types.String `tfsdk:"secret_values_wo"`
	SecretValuesWOVersion types.Int64  `tfsdk:"secret_values_wo_version"`
}

const secretsText = "JSON in the same form for the secrets among the values. The API does not show secrets, so a change of a secret outside of Terraform is not seen."

// withValues adds the attributes of the values to those of a configuration.
func withValues(attributes map[string]schema.Attribute) map[string]schema.Attribute {
	secrets := attribute.SecretJSON(secretsText+" The state contains them: `secret_values_wo` keeps them out of it.", attribute.Optional)
	secrets.Validators = append(secrets.Validators, stringvalidator.ConflictsWith(path.MatchRoot("secret_values_wo")))
	writeOnly := attribute.SecretJSON(secretsText+" Neither a plan nor the state contains them (Terraform 1.11).", attribute.Optional)
	writeOnly.WriteOnly = true
	writeOnly.PlanModifiers = nil
	writeOnly.Validators = append(writeOnly.Validators, stringvalidator.AlsoRequires(path.MatchRoot("secret_values_wo_version")))
	attributes["values"] = attribute.JSON("JSON of the values by section of the schema. A key that is left out has its default. Use `jsonencode`.", attribute.Required)
	attributes["secret_values"] = secrets
	attributes["secret_values_wo"] = writeOnly
	attributes["secret_values_wo_version"] = schema.Int64Attribute{
		MarkdownDescription: "Any number. Another number than before sends `secret_values_wo` again, because Terraform does not know whether they have changed.",
		Optional:            true, Validators: []validator.Int64{int64validator.AlsoRequires(path.MatchRoot("secret_values_wo"))},
	}
	return attributes
}

// withSecrets are the values with those that only the configuration has.
func (v *configValues) withSecrets(config configValues) { v.SecretValuesWO = config.SecretValuesWO }

// isSameAs is true if no version has to be saved.
func (v configValues) isSameAs(state configValues) bool {
	return v.Values.Equal(state.Values) && v.SecretValues.Equal(state.SecretValues) && v.SecretValuesWOVersion.Equal(state.SecretValuesWOVersion)
}

// isKnown is false while another resource makes one of the values.
func (v configValues) isKnown() bool {
	return !v.Values.IsUnknown() && !v.SecretValues.IsUnknown() && !v.SecretValuesWO.IsUnknown()
}

// validate refuses a plan with values that the server would refuse. Nothing is refused before the server can know the values: while the
// deployment or the connector does not exist, when the key may only read, or when the server is away.
func (v configValues) validate(ctx context.Context, response *resource.ModifyPlanResponse, name string, preview func(values object) error) {
	if !v.isKnown() {
		return
	}
	values, err := v.sent()
	if err == nil {
		err = preview(values)
	}
	if err == nil {
		return
	}
	var problem *client.Problem
	if !errors.As(err, &problem) || !problem.IsOfRequest() {
		tflog.Warn(ctx, "the values are validated by the change only", map[string]any{"error": err.Error()})
		return
	}
	crud.Refuse(response, name, err)
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
	writeOnly, err := objectOf(v.SecretValuesWO)
	if err != nil {
		return nil, fmt.Errorf("secret_values_wo: %w", err)
	}
	merge(values, secrets)
	merge(values, writeOnly)
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
	isWriteOnly := !v.SecretValuesWOVersion.IsNull()
	if isWriteOnly || len(hidden) == 0 && v.SecretValues.IsNull() {
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
