package organization

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/landlord/terraform-provider-landlord/internal/api/mainapi"
	"github.com/landlord/terraform-provider-landlord/internal/attribute"
	"github.com/landlord/terraform-provider-landlord/internal/client"
	"github.com/landlord/terraform-provider-landlord/internal/crud"
	"github.com/oapi-codegen/nullable"
)

type cloudAccount struct {
	ID        types.Int64      `tfsdk:"id"`
	Cloud     types.String     `tfsdk:"cloud"`
	Name      types.String     `tfsdk:"name"`
	AccountID types.String     `tfsdk:"account_id"`
	Region    types.String     `tfsdk:"region"`
	Settings  *accountSettings `tfsdk:"settings"`
	Remarks   types.String     `tfsdk:"remarks"`
	Status    types.String     `tfsdk:"status"`
	CreatedAt types.String     `tfsdk:"created_at"`
}

type accountSettings struct {
	Aws *awsSettings `tfsdk:"aws"`
	Gcp *gcpSettings `tfsdk:"gcp"`
}

type awsSettings struct {
	IdentityArn types.String `tfsdk:"identity_arn"`
	ExternalID  types.String `tfsdk:"external_id"`
	VpcID       types.String `tfsdk:"vpc_id"`
	VpcCidr     types.String `tfsdk:"vpc_cidr"`
}

type gcpSettings struct {
	VpcNetwork types.String `tfsdk:"vpc_network"`
	VpcCidr    types.String `tfsdk:"vpc_cidr"`
}

// NewCloudAccount is the resource landlord_cloud_account.
var NewCloudAccount = crud.New(crud.Actions[cloudAccount]{
	Name:      "cloud_account",
	Schema:    cloudAccountSchema,
	ImportIDs: [][]string{{"id"}},
	Create: func(ctx context.Context, api *client.Client, plan *cloudAccount) error {
		answer, err := client.Call(ctx, api.Main, mainapi.CloudAccountsCreate(api.TenantID, mainapi.CreateCloudAccountDto{
			Cloud: plan.Cloud.ValueString(), Name: plan.Name.ValueString(), AccountId: plan.AccountID.ValueString(),
			Region: attribute.Nullable(plan.Region), Settings: plan.Settings.sent(), Remarks: attribute.Nullable(plan.Remarks),
		}))
		if err != nil {
			return err
		}
		plan.ID = types.Int64Value(answer.Body.Id)
		if plan.Status.ValueString() != answer.Body.Status {
			return updateCloudAccount(ctx, api, plan)
		}
		plan.take(answer.Body)
		return nil
	},
	Read: readCloudAccount,
	Update: func(ctx context.Context, api *client.Client, plan *cloudAccount, _ cloudAccount) error {
		return updateCloudAccount(ctx, api, plan)
	},
	Delete: func(ctx context.Context, api *client.Client, state cloudAccount) error {
		_, err := client.Call(ctx, api.Main, mainapi.CloudAccountsDelete(api.TenantID, state.ID.ValueInt64()))
		return err
	},
})

func cloudAccountSchema(context.Context) schema.Schema {
	return schema.Schema{
		MarkdownDescription: "A saved cloud account for deployments in the account of the customer.",
		Attributes: map[string]schema.Attribute{
			"id":         attribute.ID("CloudAccountView.id"),
			"cloud":      attribute.String("CreateCloudAccountDto.cloud", attribute.RequiredFixed),
			"name":       attribute.String("CreateCloudAccountDto.name", attribute.Required, attribute.Trimmed()),
			"account_id": attribute.String("CreateCloudAccountDto.account_id", attribute.Required),
			"region":     attribute.Text("CreateCloudAccountDto.region", attribute.Optional),
			"remarks":    attribute.Text("CreateCloudAccountDto.remarks", attribute.Optional),
			"status":     attribute.WithDefault("UpdateCloudAccountDto.status", "active", false),
			"created_at": attribute.CreatedAt(),
			"settings": attribute.Object("CreateCloudAccountDto.settings", attribute.Optional, map[string]schema.Attribute{
				"aws": attribute.Object("CloudAccountSettingsView.aws", attribute.Optional, map[string]schema.Attribute{
					"identity_arn": attribute.String("AwsSettingsView.identity_arn", attribute.Required),
					"external_id":  attribute.String("AwsSettingsView.external_id", attribute.Required),
					"vpc_id":       attribute.String("AwsSettingsView.vpc_id", attribute.Required),
					"vpc_cidr":     attribute.String("AwsSettingsView.vpc_cidr", attribute.Optional, attribute.Network()),
				}),
				"gcp": attribute.Object("CloudAccountSettingsView.gcp", attribute.Optional, map[string]schema.Attribute{
					"vpc_network": attribute.String("GcpSettingsView.vpc_network", attribute.Optional, attribute.Trimmed()),
					"vpc_cidr":    attribute.String("GcpSettingsView.vpc_cidr", attribute.Optional, attribute.Network()),
				}),
			}),
		},
	}
}

func updateCloudAccount(ctx context.Context, api *client.Client, plan *cloudAccount) error {
	_, err := client.Call(ctx, api.Main, mainapi.CloudAccountsUpdate(api.TenantID, plan.ID.ValueInt64(), mainapi.UpdateCloudAccountDto{
		Name: plan.Name.ValueStringPointer(), AccountId: plan.AccountID.ValueStringPointer(), Region: attribute.Nullable(plan.Region),
		Settings: plan.Settings.sent(), Remarks: attribute.Nullable(plan.Remarks), Status: plan.Status.ValueStringPointer(),
	}))
	if err != nil {
		return err
	}
	return readCloudAccount(ctx, api, plan)
}

func readCloudAccount(ctx context.Context, api *client.Client, state *cloudAccount) error {
	return client.Take(ctx, api.Main, mainapi.CloudAccountsGet(api.TenantID, state.ID.ValueInt64()), state.take)
}

func (a *cloudAccount) take(view *mainapi.CloudAccountView) {
	a.ID = types.Int64Value(view.Id)
	a.Cloud = types.StringValue(view.Cloud)
	a.Name = types.StringValue(view.Name)
	a.AccountID = types.StringValue(view.AccountId)
	a.Region = attribute.TextOf(view.Region, a.Region)
	a.Remarks = attribute.TextOf(view.Remarks, a.Remarks)
	a.Status = types.StringValue(view.Status)
	a.CreatedAt = types.StringValue(view.CreatedAt)
	a.Settings = accountSettingsOf(view.Settings)
}

func (s *accountSettings) sent() nullable.Nullable[mainapi.CloudAccountSettingsView] {
	if s == nil {
		return nullable.NewNullNullable[mainapi.CloudAccountSettingsView]()
	}
	var sent mainapi.CloudAccountSettingsView
	if s.Aws != nil {
		sent.Aws = &mainapi.AwsSettingsView{
			IdentityArn: s.Aws.IdentityArn.ValueString(), ExternalId: s.Aws.ExternalID.ValueString(),
			VpcId: s.Aws.VpcID.ValueString(), VpcCidr: s.Aws.VpcCidr.ValueStringPointer(),
		}
	}
	if s.Gcp != nil {
		sent.Gcp = &mainapi.GcpSettingsView{VpcNetwork: s.Gcp.VpcNetwork.ValueStringPointer(), VpcCidr: s.Gcp.VpcCidr.ValueStringPointer()}
	}
	return nullable.NewNullableWithValue(sent)
}

func accountSettingsOf(member nullable.Nullable[mainapi.CloudAccountSettingsView]) *accountSettings {
	view, err := member.Get()
	if err != nil {
		return nil
	}
	found := &accountSettings{}
	if view.Aws != nil {
		found.Aws = &awsSettings{
			IdentityArn: types.StringValue(view.Aws.IdentityArn), ExternalID: types.StringValue(view.Aws.ExternalId),
			VpcID: types.StringValue(view.Aws.VpcId), VpcCidr: types.StringPointerValue(view.Aws.VpcCidr),
		}
	}
	if view.Gcp != nil {
		found.Gcp = &gcpSettings{VpcNetwork: types.StringPointerValue(view.Gcp.VpcNetwork), VpcCidr: types.StringPointerValue(view.Gcp.VpcCidr)}
	}
	return found
}
