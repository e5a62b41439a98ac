package organization

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/objectvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-log/tflog"
	"github.com/landlord/terraform-provider-landlord/internal/api/mainapi"
	"github.com/landlord/terraform-provider-landlord/internal/attribute"
	"github.com/landlord/terraform-provider-landlord/internal/client"
	"github.com/landlord/terraform-provider-landlord/internal/crud"
)

type apiKey struct {
	ID             types.Int64       `tfsdk:"id"`
	Name           types.String      `tfsdk:"name"`
	ExpiryAt       timetypes.RFC3339 `tfsdk:"expiry_at"`
	RoleID         types.Int64       `tfsdk:"role_id"`
	Permissions    *permissions      `tfsdk:"permissions"`
	DivisionID     types.Int64       `tfsdk:"division_id"`
	ValidateIP     types.Bool        `tfsdk:"validate_ip"`
	AllowedIPs     types.Set         `tfsdk:"allowed_ips"`
	RotateTrigger  types.String      `tfsdk:"rotate_trigger"`
	OverlapSeconds types.Int64       `tfsdk:"overlap_seconds"`
	Secret         types.String      `tfsdk:"secret"`
	UserID         types.Int64       `tfsdk:"user_id"`
	CreatedAt      types.String      `tfsdk:"created_at"`
}

// NewAPIKey is the resource landlord_api_key.
var NewAPIKey = crud.New(crud.Actions[apiKey]{
	Name: "api_key",
	Schema: func(context.Context) schema.Schema {
		permissions := permissionsAttribute("CreateApiKeyDto.permissions", attribute.OptionalFixed)
		permissions.Validators = []validator.Object{objectvalidator.ExactlyOneOf(path.MatchRoot("permissions"), path.MatchRoot("role_id"))}
		return schema.Schema{
			MarkdownDescription: "An API key. The state contains the secret, because Landlord shows the secret only once. An imported key has no secret in the state until the next rotation.",
			Attributes: map[string]schema.Attribute{
				"id":              attribute.ID("ApiKeyView.id"),
				"name":            attribute.String("CreateApiKeyDto.name", attribute.RequiredFixed, attribute.Trimmed()),
				"expiry_at":       attribute.Time("CreateApiKeyDto.expiry_at", attribute.RequiredFixed),
				"role_id":         attribute.Int("CreateApiKeyDto.role_id", attribute.EitherFixed),
				"permissions":     permissions,
				"division_id":     attribute.Int("CreateApiKeyDto.division_id", attribute.OptionalFixed),
				"validate_ip":     attribute.Flag("CreateApiKeyDto.validate_ip", false, false),
				"allowed_ips":     attribute.Texts("CreateApiKeyDto.allowed_ips", attribute.Optional, setvalidator.ValueStringsAre(attribute.AddressOrNetwork())),
				"rotate_trigger":  attribute.RotateTrigger(),
				"overlap_seconds": attribute.Int("RotateApiKeyDto.overlap_seconds", attribute.Optional, int64validator.Between(0, 604800)),
				"secret":          attribute.Secret(attribute.String("ApiKeyWithSecretView.secret", attribute.Stable)),
				"user_id":         attribute.Int("ApiKeyView.user_id", attribute.Volatile),
				"created_at":      attribute.CreatedAt(),
			},
		}
	},
	ImportIDs:  [][]string{{"id"}},
	ModifyPlan: crud.SecretOfRotation,
	Create: func(ctx context.Context, api *client.Client, plan *apiKey) error {
		body := mainapi.CreateApiKeyDto{
			Name: plan.Name.ValueString(), ExpiryAt: plan.ExpiryAt.ValueString(), DivisionId: attribute.NullableInt(plan.DivisionID),
			ValidateIp: plan.ValidateIP.ValueBoolPointer(), AllowedIps: listed(plan.AllowedIPs),
		}
		if plan.Permissions != nil {
			sent := plan.Permissions.sent()
			body.Permissions = &sent
		} else {
			body.RoleId = plan.RoleID.ValueInt64Pointer()
		}
		answer, err := client.Call(ctx, api.Main, mainapi.ApiKeysCreate(api.TenantID, body))
		if err != nil {
			return err
		}
		plan.ID = types.Int64Value(answer.Body.Id)
		plan.Secret = types.StringValue(answer.Body.Secret)
		return readAPIKey(ctx, api, plan)
	},
	Read: func(ctx context.Context, api *client.Client, state *apiKey) error {
		isImport := state.RoleID.IsNull()
		if err := readAPIKey(ctx, api, state); err != nil || !isImport {
			return err
		}
		return state.takePermissions(ctx, api)
	},
	Update: func(ctx context.Context, api *client.Client, plan *apiKey, state apiKey) error {
		if !plan.ValidateIP.Equal(state.ValidateIP) || !plan.AllowedIPs.Equal(state.AllowedIPs) {
			ips := attribute.ListOf(plan.AllowedIPs)
			_, err := client.Call(ctx, api.Main, mainapi.ApiKeysRestrict(api.TenantID, plan.ID.ValueInt64(), mainapi.RestrictApiKeyDto{ValidateIp: plan.ValidateIP.ValueBoolPointer(), AllowedIps: &ips}))
			if err != nil {
				return err
			}
		}
		plan.Secret = state.Secret
		if !plan.RotateTrigger.Equal(state.RotateTrigger) {
			answer, err := client.Call(ctx, api.Main, mainapi.ApiKeysRotate(api.TenantID, plan.ID.ValueInt64(), mainapi.RotateApiKeyDto{OverlapSeconds: attribute.KnownInt(plan.OverlapSeconds)}))
			if err != nil {
				return err
			}
			plan.Secret = types.StringValue(answer.Body.Secret)
			if err := readAPIKey(ctx, api, plan); err != nil {
				// The new secret is shown only once, so it is saved in any case. The next plan reads the rest.
				tflog.Warn(ctx, "the key cannot be read after its rotation", map[string]any{"error": err.Error()})
				plan.UserID = state.UserID
			}
			return nil
		}
		return readAPIKey(ctx, api, plan)
	},
	Delete: func(ctx context.Context, api *client.Client, state apiKey) error {
		_, err := client.Call(ctx, api.Main, mainapi.ApiKeysDelete(api.TenantID, state.ID.ValueInt64()))
		return err
	},
})

func readAPIKey(ctx context.Context, api *client.Client, state *apiKey) error {
	answer, err := client.Call(ctx, api.Main, mainapi.ApiKeysGet(api.TenantID, state.ID.ValueInt64()))
	if err != nil {
		return err
	}
	view := answer.Body
	state.Name = types.StringValue(view.Name)
	state.ExpiryAt = attribute.SameTime(view.ExpiryAt, state.ExpiryAt)
	state.RoleID = types.Int64Value(view.RoleId)
	if state.Permissions != nil {
		state.Permissions = permissionsOf(view.Permissions, state.Permissions)
	}
	state.DivisionID = attribute.IntOf(view.DivisionId)
	state.ValidateIP = types.BoolValue(view.ValidateIp)
	state.AllowedIPs = attribute.SetOf(view.AllowedIps, state.AllowedIPs)
	state.UserID = types.Int64Value(view.UserId)
	state.CreatedAt = types.StringValue(view.CreatedAt)
	return nil
}

// takePermissions sets the permissions of an imported key if its role was made for the key. Other keys have a role of the user.
func (k *apiKey) takePermissions(ctx context.Context, api *client.Client) error {
	answer, err := client.Call(ctx, api.Main, mainapi.RolesGet(api.TenantID, k.RoleID.ValueInt64()))
	if err != nil {
		return err
	}
	if answer.Body.Kind == "api_key" {
		k.Permissions = permissionsOf(answer.Body.Permissions, nil)
	}
	return nil
}
