package runtime

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-log/tflog"
	"github.com/landlord/terraform-provider-landlord/internal/api/supervisorapi"
	"github.com/landlord/terraform-provider-landlord/internal/attribute"
	"github.com/landlord/terraform-provider-landlord/internal/client"
	"github.com/landlord/terraform-provider-landlord/internal/crud"
)

type brokerConfig struct {
	ID           types.Int64 `tfsdk:"id"`
	DeploymentID types.Int64 `tfsdk:"deployment_id"`
	configValues
	Version  types.Int64    `tfsdk:"version"`
	Timeouts timeouts.Value `tfsdk:"timeouts"`
}

// NewBrokerConfig is the resource landlord_broker_config.
var NewBrokerConfig = crud.New(crud.Actions[brokerConfig]{
	Name: "broker_config",
	Schema: func(ctx context.Context) schema.Schema {
		return schema.Schema{
			MarkdownDescription: "The active configuration of the brokers of a deployment: at most one resource for each deployment. " +
				"A change saves and activates another version, lets the nodes take it one after the other, and deletes the version before. A version that a node cannot start with does not stay active. " +
				"The destruction gives every key its default.",
			Attributes: withValues(map[string]schema.Attribute{
				"id":            attribute.Int("ConfigView.id", attribute.Volatile),
				"deployment_id": attribute.Int("path.deployment_id", attribute.RequiredFixed),
				"version":       attribute.Int("ConfigView.version", attribute.Volatile),
				"timeouts":      timeouts.Attributes(ctx, timeouts.Opts{Create: true, Update: true, Delete: true}),
			}),
		}
	},
	ImportIDs: [][]string{{"deployment_id"}},
	WriteOnly: func(plan *brokerConfig, config brokerConfig) { plan.withSecrets(config.configValues) },
	ModifyPlan: func(ctx context.Context, api *client.Client, request resource.ModifyPlanRequest, response *resource.ModifyPlanResponse) {
		var plan, config brokerConfig
		response.Diagnostics.Append(request.Plan.Get(ctx, &plan)...)
		response.Diagnostics.Append(request.Config.Get(ctx, &config)...)
		if response.Diagnostics.HasError() || plan.DeploymentID.IsUnknown() {
			return
		}
		plan.withSecrets(config.configValues)
		plan.validate(ctx, response, "broker_config", func(values object) error {
			_, err := client.CallSupervisor(ctx, api, plan.DeploymentID, supervisorapi.ConfigsPreview(plan.DeploymentID.ValueInt64(), supervisorapi.PreviewConfigDto{Values: values}))
			return err
		})
	},
	Timeouts: func(model brokerConfig) timeouts.Value { return model.Timeouts },
	Create: func(ctx context.Context, api *client.Client, plan *brokerConfig) error {
		values, err := plan.sent()
		if err != nil {
			return err
		}
		return plan.save(ctx, api, values)
	},
	Read: func(ctx context.Context, api *client.Client, state *brokerConfig) error {
		answer, err := client.CallSupervisor(ctx, api, state.DeploymentID, supervisorapi.ConfigsGetPrimary(state.DeploymentID.ValueInt64()))
		if err != nil {
			return err
		}
		state.ID = types.Int64Value(answer.Body.Id)
		state.Version = types.Int64Value(int64(answer.Body.Version))
		return state.take(answer.Body.Values)
	},
	Update: updateBrokerConfig,
	Delete: func(ctx context.Context, api *client.Client, state brokerConfig) error {
		before := state
		if err := state.save(ctx, api, object{}); err != nil {
			return err
		}
		before.forget(ctx, api)
		return nil
	},
})

func updateBrokerConfig(ctx context.Context, api *client.Client, plan *brokerConfig, state brokerConfig) error {
	if plan.isSameAs(state.configValues) {
		plan.ID, plan.Version = state.ID, state.Version
		return nil
	}
	values, err := plan.sent()
	if err != nil {
		return err
	}
	if err := plan.save(ctx, api, values); err != nil {
		var refused *refusedTask
		if client.HasFailed(err) || errors.As(err, &refused) {
			state.restore(ctx, api)
			plan.forget(ctx, api)
		}
		return err
	}
	state.forget(ctx, api)
	return nil
}

// refusedTask is the error of a task that the server does not start, for example because the key may not start tasks.
type refusedTask struct{ error }

func (e *refusedTask) Unwrap() error { return e.error }

// save makes the values the active version, and returns when the nodes run by them.
func (c *brokerConfig) save(ctx context.Context, api *client.Client, values object) error {
	deploymentID := c.DeploymentID.ValueInt64()
	isActive := true
	saved, err := client.CallSupervisor(ctx, api, c.DeploymentID, supervisorapi.ConfigsCreate(deploymentID, supervisorapi.CreateConfigDto{Values: values, Activate: &isActive}))
	if err != nil {
		return err
	}
	c.ID = types.Int64Value(saved.Body.Id)
	c.Version = types.Int64Value(int64(saved.Body.Version))
	task, err := client.CallSupervisor(ctx, api, c.DeploymentID, supervisorapi.TasksCreate(deploymentID, supervisorapi.CreateTaskDto{Type: "broker:reconfigure"}))
	if client.IsRefused(err) {
		return &refusedTask{err}
	}
	if err != nil {
		return err
	}
	return api.WaitForHeader(ctx, task.Header)
}

// restore makes the version of the state the active one again, after the nodes have refused another and returned to this one, or were
// never told. Otherwise the next plan would be empty although no node has the new values.
func (c *brokerConfig) restore(ctx context.Context, api *client.Client) {
	_, err := client.CallSupervisor(ctx, api, c.DeploymentID, supervisorapi.ConfigsActivate(c.DeploymentID.ValueInt64(), "broker", int(c.Version.ValueInt64())))
	if err != nil {
		tflog.Warn(ctx, "the refused version stays active", map[string]any{"error": err.Error()})
	}
}

// forget deletes a version that is no longer active. A version that stays does no harm.
func (c *brokerConfig) forget(ctx context.Context, api *client.Client) {
	_, err := client.CallSupervisor(ctx, api, c.DeploymentID, supervisorapi.ConfigsDelete(c.DeploymentID.ValueInt64(), c.ID.ValueInt64()))
	if err != nil {
		tflog.Warn(ctx, "a version of the configuration stays", map[string]any{"id": c.ID.ValueInt64(), "error": err.Error()})
	}
}
