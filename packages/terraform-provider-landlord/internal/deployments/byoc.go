package deployments

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework-validators/objectvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/landlord/terraform-provider-landlord/internal/api/mainapi"
	"github.com/landlord/terraform-provider-landlord/internal/attribute"
	"github.com/landlord/terraform-provider-landlord/internal/client"
	"github.com/landlord/terraform-provider-landlord/internal/crud"
)

type byoc struct {
	shared
	Tier           types.String `tfsdk:"tier"`
	Cluster        types.String `tfsdk:"cluster"`
	Storage        types.Object `tfsdk:"storage"`
	Aws            *awsAccount  `tfsdk:"aws"`
	Gcp            *gcpProject  `tfsdk:"gcp"`
	CloudAccountID types.Int64  `tfsdk:"cloud_account_id"`
}

type awsAccount struct {
	AccountID   types.String `tfsdk:"account_id"`
	IdentityArn types.String `tfsdk:"identity_arn"`
	ExternalID  types.String `tfsdk:"external_id"`
	VpcID       types.String `tfsdk:"vpc_id"`
	VpcCidr     types.String `tfsdk:"vpc_cidr"`
}

type gcpProject struct {
	ProjectID           types.String `tfsdk:"project_id"`
	ServiceAccountEmail types.String `tfsdk:"service_account_email"`
	VpcName             types.String `tfsdk:"vpc_name"`
}

// NewByocDeployment is the resource landlord_byoc_deployment.
var NewByocDeployment = crud.New(crud.Actions[byoc]{
	Name:      "byoc_deployment",
	Schema:    byocSchema,
	ImportIDs: importIDs,
	Timeouts:  func(model byoc) timeouts.Value { return model.Timeouts },
	Create: func(ctx context.Context, api *client.Client, plan *byoc) error {
		answer, err := client.Call(ctx, api.Main, mainapi.DeploymentsCreateByoc(api.TenantID, plan.DivisionID.ValueInt64(), plan.EnvironmentID.ValueInt64(), plan.sent()))
		if err != nil {
			return err
		}
		if err := plan.accepted(ctx, api, answer.Body); err != nil {
			return err
		}
		return plan.changeAfterCreation(ctx, api, func() error { return readByoc(ctx, api, plan) })
	},
	Read: readByoc,
	Update: func(ctx context.Context, api *client.Client, plan *byoc, state byoc) error {
		body := mainapi.UpgradeDto{Storage: largerStorage(plan.Storage, state.Storage)}
		if !plan.Tier.Equal(state.Tier) {
			body.Tier = attribute.Known(plan.Tier)
		}
		if body.Tier != nil || body.Storage != nil {
			if err := plan.upgrade(ctx, api, body); err != nil {
				return err
			}
		}
		if err := plan.change(ctx, api, state.shared); err != nil {
			return err
		}
		return readByoc(ctx, api, plan)
	},
	Delete: func(ctx context.Context, api *client.Client, state byoc) error { return state.delete(ctx, api) },
})

func byocSchema(ctx context.Context) schema.Schema {
	aws := attribute.Object("CreateByocDto.aws", attribute.Optional, map[string]schema.Attribute{
		"account_id":   attribute.String("AwsAccountDto.account_id", attribute.Required),
		"identity_arn": attribute.String("AwsAccountDto.identity_arn", attribute.Required),
		"external_id":  attribute.String("AwsAccountDto.external_id", attribute.Required),
		"vpc_id":       attribute.String("AwsAccountDto.vpc_id", attribute.Required),
		"vpc_cidr":     attribute.String("AwsAccountDto.vpc_cidr", attribute.Optional, attribute.Network()),
	})
	aws.Validators = []validator.Object{objectvalidator.ExactlyOneOf(path.MatchRoot("aws"), path.MatchRoot("gcp"))}
	aws.PlanModifiers = []planmodifier.Object{replaceUnlessImported()}
	gcp := attribute.Object("CreateByocDto.gcp", attribute.Optional, map[string]schema.Attribute{
		"project_id":            attribute.String("GcpProjectDto.project_id", attribute.Required),
		"service_account_email": attribute.String("GcpProjectDto.service_account_email", attribute.Required),
		"vpc_name":              attribute.String("GcpProjectDto.vpc_name", attribute.Required),
	})
	gcp.PlanModifiers = []planmodifier.Object{replaceUnlessImported()}
	return schema.Schema{
		MarkdownDescription: "A deployment in the cloud account of the customer. The API shows the account only if it is a saved cloud account. So after the import of another deployment, the first plan takes `aws` or `gcp` from the configuration, and changes nothing.",
		Attributes: sharedAttributes(ctx, map[string]schema.Attribute{
			"tier":             attribute.String("CreateByocDto.tier", attribute.Required),
			"cluster":          attribute.String("CreateByocDto.cluster", attribute.RequiredFixed),
			"storage":          storageAttribute(),
			"aws":              aws,
			"gcp":              gcp,
			"cloud_account_id": attribute.Int("DeploymentView.cloud_account_id", attribute.Stable),
		}),
	}
}

func (d *byoc) sent() mainapi.CreateByocDto {
	body := mainapi.CreateByocDto{
		Name: d.Name.ValueString(), Cloud: d.Cloud.ValueString(), Region: d.Region.ValueString(), Tier: d.Tier.ValueString(),
		Cluster: d.Cluster.ValueString(), Storage: storageOf(d.Storage),
	}
	if d.Aws != nil {
		body.Aws = &mainapi.AwsAccountDto{
			AccountId: d.Aws.AccountID.ValueString(), IdentityArn: d.Aws.IdentityArn.ValueString(), ExternalId: d.Aws.ExternalID.ValueString(),
			VpcId: d.Aws.VpcID.ValueString(), VpcCidr: d.Aws.VpcCidr.ValueStringPointer(),
		}
	}
	if d.Gcp != nil {
		body.Gcp = &mainapi.GcpProjectDto{
			ProjectId: d.Gcp.ProjectID.ValueString(), ServiceAccountEmail: d.Gcp.ServiceAccountEmail.ValueString(), VpcName: d.Gcp.VpcName.ValueString(),
		}
	}
	return body
}

func readByoc(ctx context.Context, api *client.Client, state *byoc) error {
	view, err := state.view(ctx, api)
	if err != nil {
		return err
	}
	if view.Variant != "byoc" {
		return wrongKind("byoc", view)
	}
	state.take(view)
	shape := shapeOf(view)
	state.Tier = types.StringValue(shape.tier)
	state.Storage = storageObject(shape.storage)
	state.Cluster = types.StringValue(view.Cluster)
	state.CloudAccountID = attribute.IntOf(view.CloudAccountId)
	isImport := state.Aws == nil && state.Gcp == nil
	if !isImport || state.CloudAccountID.IsNull() || view.Cloud != "aws" {
		return nil
	}
	return state.takeAccount(ctx, api, view)
}

// takeAccount reads what an import cannot know from the saved cloud account of the deployment.
func (d *byoc) takeAccount(ctx context.Context, api *client.Client, view *mainapi.DeploymentView) error {
	answer, err := client.Call(ctx, api.Main, mainapi.CloudAccountsGet(api.TenantID, d.CloudAccountID.ValueInt64()))
	if client.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	settings, err := answer.Body.Settings.Get()
	if err != nil || settings.Aws == nil {
		return nil
	}
	d.Aws = &awsAccount{
		AccountID: types.StringValue(answer.Body.AccountId), IdentityArn: types.StringValue(settings.Aws.IdentityArn),
		ExternalID: types.StringValue(settings.Aws.ExternalId), VpcID: types.StringValue(settings.Aws.VpcId), VpcCidr: attribute.StringOf(view.VpcCidr),
	}
	return nil
}
