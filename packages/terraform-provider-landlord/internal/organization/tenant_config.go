package organization

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/landlord/terraform-provider-landlord/internal/api/mainapi"
	"github.com/landlord/terraform-provider-landlord/internal/attribute"
	"github.com/landlord/terraform-provider-landlord/internal/client"
	"github.com/landlord/terraform-provider-landlord/internal/crud"
)

type tenantConfig struct {
	TenantID                     types.Int64  `tfsdk:"tenant_id"`
	JoinPolicy                   types.String `tfsdk:"join_policy"`
	BlockExternalInvitations     types.Bool   `tfsdk:"block_external_invitations"`
	EnforceDomainOnlyInvitations types.Bool   `tfsdk:"enforce_domain_only_invitations"`
	EmailDomain                  types.String `tfsdk:"email_domain"`
}

// NewTenantConfig is the resource landlord_tenant_config.
var NewTenantConfig = crud.New(crud.Actions[tenantConfig]{
	Name: "tenant_config",
	Schema: func(context.Context) schema.Schema {
		return schema.Schema{
			MarkdownDescription: "The rules of the tenant for joining and for invitations: at most one resource. The destruction changes nothing in Landlord.",
			Attributes: map[string]schema.Attribute{
				"tenant_id":                       attribute.ID("path.tenant_id"),
				"join_policy":                     attribute.String("UpdateTenantConfigDto.join_policy", attribute.Required),
				"block_external_invitations":      attribute.Flag("UpdateTenantConfigDto.block_external_invitations", false, false),
				"enforce_domain_only_invitations": attribute.Flag("UpdateTenantConfigDto.enforce_domain_only_invitations", false, false),
				"email_domain":                    attribute.String("TenantConfigView.email_domain", attribute.Stable),
			},
		}
	},
	ImportIDs: [][]string{{"tenant_id"}},
	Create: func(ctx context.Context, api *client.Client, plan *tenantConfig) error {
		return updateTenantConfig(ctx, api, plan)
	},
	Read: readTenantConfig,
	Update: func(ctx context.Context, api *client.Client, plan *tenantConfig, _ tenantConfig) error {
		return updateTenantConfig(ctx, api, plan)
	},
	// A tenant always has these rules.
	Delete: func(context.Context, *client.Client, tenantConfig) error { return nil },
})

func updateTenantConfig(ctx context.Context, api *client.Client, plan *tenantConfig) error {
	_, err := client.Call(ctx, api.Main, mainapi.TenantConfigUpdate(api.TenantID, mainapi.UpdateTenantConfigDto{
		JoinPolicy: plan.JoinPolicy.ValueString(), BlockExternalInvitations: plan.BlockExternalInvitations.ValueBool(),
		EnforceDomainOnlyInvitations: plan.EnforceDomainOnlyInvitations.ValueBool(),
	}))
	if err != nil {
		return err
	}
	return readTenantConfig(ctx, api, plan)
}

func readTenantConfig(ctx context.Context, api *client.Client, state *tenantConfig) error {
	return client.Take(ctx, api.Main, mainapi.TenantConfigGet(api.TenantID), func(view *mainapi.TenantConfigView) {
		state.TenantID = types.Int64Value(api.TenantID)
		state.JoinPolicy = types.StringValue(view.JoinPolicy)
		state.BlockExternalInvitations = types.BoolValue(view.BlockExternalInvitations)
		state.EnforceDomainOnlyInvitations = types.BoolValue(view.EnforceDomainOnlyInvitations)
		state.EmailDomain = types.StringPointerValue(view.EmailDomain)
	})
}
