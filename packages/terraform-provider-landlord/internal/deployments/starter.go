package deployments

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/landlord/terraform-provider-landlord/internal/api/mainapi"
	"github.com/landlord/terraform-provider-landlord/internal/attribute"
	"github.com/landlord/terraform-provider-landlord/internal/client"
	"github.com/landlord/terraform-provider-landlord/internal/crud"
)

type starter struct {
	shared
	EnvironmentName types.String `tfsdk:"environment_name"`
}

// NewStarterDeployment is the resource landlord_starter_deployment.
var NewStarterDeployment = crud.New(crud.Actions[starter]{
	Name: "starter_deployment",
	Schema: func(ctx context.Context) schema.Schema {
		environmentName := attribute.String("CreateStarterDto.environment_name", attribute.EitherFixed, attribute.Trimmed())
		environmentName.MarkdownDescription += " A later rename of the environment changes nothing here."
		return schema.Schema{
			MarkdownDescription: "A Free deployment with one node. Landlord creates a missing environment with the name `environment_name`, and keeps this environment when the deployment is destroyed.",
			Attributes: sharedAttributes(ctx, map[string]schema.Attribute{
				"name":             attribute.String("CreateStarterDto.deployment_name", attribute.Either, attribute.Trimmed()),
				"environment_id":   attribute.Int("CreateStarterDto.environment_id", attribute.EitherFixed, int64validator.ConflictsWith(path.MatchRoot("environment_name"))),
				"environment_name": environmentName,
			}),
		}
	},
	ImportIDs: importIDs,
	Timeouts:  func(model starter) timeouts.Value { return model.Timeouts },
	Renamed:   map[string]string{"deployment_name": "name"},
	Create: func(ctx context.Context, api *client.Client, plan *starter) error {
		body := mainapi.CreateStarterDto{
			Cloud: plan.Cloud.ValueString(), Region: plan.Region.ValueString(), DeploymentName: attribute.Known(plan.Name),
			EnvironmentName: attribute.Known(plan.EnvironmentName),
		}
		if !plan.EnvironmentID.IsUnknown() {
			body.EnvironmentId = plan.EnvironmentID.ValueInt64Pointer()
		}
		answer, err := client.Call(ctx, api.Main, mainapi.DeploymentsCreateStarter(api.TenantID, plan.DivisionID.ValueInt64(), body))
		if err != nil {
			return err
		}
		if err := plan.accepted(ctx, api, answer.Body); err != nil {
			return err
		}
		return plan.changeAfterCreation(ctx, api, func() error { return readStarter(ctx, api, plan) })
	},
	Read: readStarter,
	Update: func(ctx context.Context, api *client.Client, plan *starter, state starter) error {
		if err := plan.change(ctx, api, state.shared); err != nil {
			return err
		}
		return readStarter(ctx, api, plan)
	},
	Delete: func(ctx context.Context, api *client.Client, state starter) error { return state.delete(ctx, api) },
})

// changeAfterCreation sends what the creation of this kind does not take, and reads the deployment.
func (d *shared) changeAfterCreation(ctx context.Context, api *client.Client, read func() error) error {
	failed := d.changeCreated(ctx, api)
	wanted := *d
	if err := read(); err != nil {
		return errors.Join(failed, err)
	}
	if failed == nil {
		return nil
	}
	d.keep(wanted)
	return crud.AfterCreation(failed)
}

func (d *shared) changeCreated(ctx context.Context, api *client.Client) error {
	view, err := d.view(ctx, api)
	if err != nil {
		return err
	}
	created := *d
	created.take(view)
	if d.Name.IsUnknown() {
		d.Name = created.Name
	}
	return d.change(ctx, api, created)
}

// keep takes the values that a change can send, although the deployment may have others.
func (d *shared) keep(wanted shared) {
	if !wanted.Name.IsUnknown() {
		d.Name = wanted.Name
	}
	if !wanted.Retention.IsUnknown() {
		d.Retention = wanted.Retention
	}
	d.Description, d.Protected, d.SpendLimit = wanted.Description, wanted.Protected, wanted.SpendLimit
}

func readStarter(ctx context.Context, api *client.Client, state *starter) error {
	view, err := state.view(ctx, api)
	if err != nil {
		return err
	}
	if view.Variant != "starter" {
		return wrongKind("starter", view)
	}
	state.take(view)
	if !state.EnvironmentName.IsNull() && !state.EnvironmentName.IsUnknown() {
		// Another name replaces the deployment. A rename of the environment must not.
		return nil
	}
	answer, err := client.Call(ctx, api.Main, mainapi.EnvironmentsGet(api.TenantID, view.DivisionId, view.EnvironmentId))
	if err != nil {
		return err
	}
	state.EnvironmentName = types.StringValue(answer.Body.Name)
	return nil
}
