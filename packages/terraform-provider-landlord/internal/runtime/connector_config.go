package runtime

import (
	"context"

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

type connectorConfig struct {
	ID            types.Int64  `tfsdk:"id"`
	DeploymentID  types.Int64  `tfsdk:"deployment_id"`
	ConnectorType types.String `tfsdk:"connector_type"`
	ConnectorKey  types.String `tfsdk:"connector_key"`
	Name          types.String `tfsdk:"name"`
	configValues
	Version  types.Int64    `tfsdk:"version"`
	Timeouts timeouts.Value `tfsdk:"timeouts"`
}

// NewConnectorConfig is the resource landlord_connector_config.
var NewConnectorConfig = crud.New(crud.Actions[connectorConfig]{
	Name: "connector_config",
	Schema: func(ctx context.Context) schema.Schema {
		name := attribute.String("CreateConnectorConfigDto.name", attribute.RequiredFixed)
		name.MarkdownDescription = "Key of the instance: `instance_key` of the connector. Another value replaces the resource."
		return schema.Schema{
			MarkdownDescription: "The active configuration of a connector: at most one resource for each instance. The nodes take each change at once. A version that fails does not stay active. " +
				"The destruction disables the connector.",
			Attributes: withValues(map[string]schema.Attribute{
				"id":             attribute.Int("ConfigView.id", attribute.Volatile),
				"deployment_id":  attribute.Int("path.deployment_id", attribute.RequiredFixed),
				"connector_type": attribute.String("ActivateConnectorDto.connector_type", attribute.RequiredFixed),
				"connector_key":  attribute.String("ActivateConnectorDto.connector_key", attribute.RequiredFixed),
				"name":           name,
				"version":        attribute.Int("ConfigView.version", attribute.Volatile),
				"timeouts":       timeouts.Attributes(ctx, timeouts.Opts{Create: true, Update: true, Delete: true}),
			}),
		}
	},
	ImportIDs: [][]string{{"deployment_id", "connector_type", "connector_key", "name"}},
	WriteOnly: func(plan *connectorConfig, config connectorConfig) { plan.withSecrets(config.configValues) },
	ModifyPlan: func(ctx context.Context, api *client.Client, request resource.ModifyPlanRequest, response *resource.ModifyPlanResponse) {
		var plan, config connectorConfig
		response.Diagnostics.Append(request.Plan.Get(ctx, &plan)...)
		response.Diagnostics.Append(request.Config.Get(ctx, &config)...)
		isUnknown := plan.DeploymentID.IsUnknown() || plan.ConnectorType.IsUnknown() || plan.ConnectorKey.IsUnknown() || plan.Name.IsUnknown()
		if response.Diagnostics.HasError() || isUnknown {
			return
		}
		plan.withSecrets(config.configValues)
		plan.validate(ctx, response, "connector_config", func(values object) error {
			body := supervisorapi.PreviewConnectorConfigDto{Name: plan.Name.ValueStringPointer(), Values: values}
			_, err := client.CallSupervisor(ctx, api, plan.DeploymentID, supervisorapi.ConnectorConfigsPreview(plan.DeploymentID.ValueInt64(), plan.ConnectorType.ValueString(), plan.ConnectorKey.ValueString(), body))
			return err
		})
	},
	Timeouts: func(model connectorConfig) timeouts.Value { return model.Timeouts },
	Create: func(ctx context.Context, api *client.Client, plan *connectorConfig) error {
		values, err := plan.sent()
		if err != nil {
			return err
		}
		return plan.save(ctx, api, values)
	},
	Read: func(ctx context.Context, api *client.Client, state *connectorConfig) error {
		answer, err := client.CallSupervisor(ctx, api, state.DeploymentID, supervisorapi.ConnectorConfigsGetPrimary(state.DeploymentID.ValueInt64(), state.ConnectorType.ValueString(), state.ConnectorKey.ValueString(), state.Name.ValueStringPointer()))
		if err != nil {
			return err
		}
		state.ID = types.Int64Value(answer.Body.Id)
		state.Version = types.Int64Value(int64(answer.Body.Version))
		return state.take(answer.Body.Values)
	},
	Update: func(ctx context.Context, api *client.Client, plan *connectorConfig, state connectorConfig) error {
		if plan.isSameAs(state.configValues) {
			plan.ID, plan.Version = state.ID, state.Version
			return nil
		}
		values, err := plan.sent()
		if err != nil {
			return err
		}
		if err := plan.save(ctx, api, values); err != nil {
			if client.HasFailed(err) {
				state.restore(ctx, api)
				plan.forget(ctx, api)
			}
			return err
		}
		state.forget(ctx, api)
		return nil
	},
	Delete: func(ctx context.Context, api *client.Client, state connectorConfig) error {
		before := state
		if err := state.save(ctx, api, object{"enabled": false}); err != nil {
			return err
		}
		before.forget(ctx, api)
		return nil
	},
})

// save makes the values the active version, and returns when the instance runs by them.
func (c *connectorConfig) save(ctx context.Context, api *client.Client, values object) error {
	isActive := true
	body := supervisorapi.CreateConnectorConfigDto{Name: c.Name.ValueStringPointer(), Values: values, Activate: &isActive}
	saved, err := client.CallSupervisor(ctx, api, c.DeploymentID, supervisorapi.ConnectorConfigsCreate(c.DeploymentID.ValueInt64(), c.ConnectorType.ValueString(), c.ConnectorKey.ValueString(), body))
	if err != nil {
		return err
	}
	c.ID = types.Int64Value(saved.Body.Id)
	c.Version = types.Int64Value(int64(saved.Body.Version))
	return api.WaitForHeader(ctx, saved.Header)
}

// restore makes the version of the state the active one again, after the instance has failed with another. Otherwise the next plan would
// be empty although the instance does not run.
func (c *connectorConfig) restore(ctx context.Context, api *client.Client) {
	answer, err := client.CallSupervisor(ctx, api, c.DeploymentID, supervisorapi.ConnectorConfigsActivate(c.DeploymentID.ValueInt64(), c.ConnectorType.ValueString(), c.ConnectorKey.ValueString(), c.Name.ValueString(), int(c.Version.ValueInt64())))
	if err == nil {
		err = api.WaitForHeader(ctx, answer.Header)
	}
	if err != nil {
		tflog.Warn(ctx, "the refused version stays active", map[string]any{"error": err.Error()})
	}
}

// forget deletes a version that is no longer active. A version that stays does no harm.
func (c *connectorConfig) forget(ctx context.Context, api *client.Client) {
	_, err := client.CallSupervisor(ctx, api, c.DeploymentID, supervisorapi.ConnectorConfigsDelete(c.DeploymentID.ValueInt64(), c.ConnectorType.ValueString(), c.ConnectorKey.ValueString(), c.ID.ValueInt64()))
	if err != nil {
		tflog.Warn(ctx, "a version of the configuration stays", map[string]any{"id": c.ID.ValueInt64(), "error": err.Error()})
	}
}
