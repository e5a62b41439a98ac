package runtime

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/landlord/terraform-provider-landlord/internal/api/mainapi"
	"github.com/landlord/terraform-provider-landlord/internal/api/supervisorapi"
	"github.com/landlord/terraform-provider-landlord/internal/attribute"
	"github.com/landlord/terraform-provider-landlord/internal/client"
	"github.com/landlord/terraform-provider-landlord/internal/crud"
)

type connector struct {
	ID            types.Int64    `tfsdk:"id"`
	DeploymentID  types.Int64    `tfsdk:"deployment_id"`
	ConnectorType types.String   `tfsdk:"connector_type"`
	ConnectorKey  types.String   `tfsdk:"connector_key"`
	InstanceName  types.String   `tfsdk:"instance_name"`
	InstanceKey   types.String   `tfsdk:"instance_key"`
	Version       types.String   `tfsdk:"version"`
	Status        types.String   `tfsdk:"status"`
	CreatedAt     types.String   `tfsdk:"created_at"`
	Timeouts      timeouts.Value `tfsdk:"timeouts"`
}

// NewConnector is the resource landlord_connector.
var NewConnector = crud.New(crud.Actions[connector]{
	Name: "connector",
	Schema: func(ctx context.Context) schema.Schema {
		return schema.Schema{
			MarkdownDescription: "An activated connector of a deployment. Its first configuration is disabled: `landlord_connector_config` configures the instance.",
			Attributes: map[string]schema.Attribute{
				"id":             attribute.ID("ConnectorInstanceView.id"),
				"deployment_id":  attribute.Int("path.deployment_id", attribute.RequiredFixed),
				"connector_type": attribute.String("ActivateConnectorDto.connector_type", attribute.RequiredFixed),
				"connector_key":  attribute.String("ActivateConnectorDto.connector_key", attribute.RequiredFixed),
				"instance_name":  attribute.String("ActivateConnectorDto.instance_name", attribute.EitherFixed, attribute.Trimmed()),
				"instance_key":   attribute.String("ActivateConnectorDto.instance_key", attribute.EitherFixed, attribute.Trimmed()),
				"version":        attribute.String("ConnectorInstanceView.version", attribute.Stable),
				"status":         attribute.String("ConnectorInstanceView.status", attribute.Stable),
				"created_at":     attribute.CreatedAt(),
				"timeouts":       timeouts.Attributes(ctx, timeouts.Opts{Create: true, Delete: true}),
			},
		}
	},
	ImportIDs: [][]string{{"deployment_id", "id"}},
	Timeouts:  func(model connector) timeouts.Value { return model.Timeouts },
	Create: func(ctx context.Context, api *client.Client, plan *connector) error {
		deploymentID := plan.DeploymentID.ValueInt64()
		place, err := api.Place(ctx, deploymentID)
		if err != nil {
			return err
		}
		answer, err := client.Call(ctx, api.Main, mainapi.ConnectorsActivate(api.TenantID, place.DivisionID, place.EnvironmentID, deploymentID, mainapi.ActivateConnectorDto{
			ConnectorType: plan.ConnectorType.ValueString(), ConnectorKey: plan.ConnectorKey.ValueString(),
			InstanceName: attribute.Known(plan.InstanceName), InstanceKey: attribute.Known(plan.InstanceKey),
		}))
		if err != nil {
			return err
		}
		plan.ID = types.Int64Value(answer.Body.Id)
		if err := api.WaitForHeader(ctx, answer.Header); err != nil {
			return err
		}
		return readConnector(ctx, api, plan)
	},
	Read: readConnector,
	Delete: func(ctx context.Context, api *client.Client, state connector) error {
		answer, err := client.CallSupervisor(ctx, api, state.DeploymentID, supervisorapi.ConnectorsDelete(state.DeploymentID.ValueInt64(), state.ID.ValueInt64()))
		if err != nil {
			return err
		}
		return api.WaitForHeader(ctx, answer.Header)
	},
})

func readConnector(ctx context.Context, api *client.Client, state *connector) error {
	answer, err := client.CallSupervisor(ctx, api, state.DeploymentID, supervisorapi.ConnectorsList(state.DeploymentID.ValueInt64()))
	if err != nil {
		return err
	}
	view, err := client.Find(answer.Body, state.ID.ValueInt64(), func(one supervisorapi.ConnectorInstanceView) int64 { return one.Id }, "connector")
	if err != nil {
		return err
	}
	state.ConnectorType = types.StringValue(view.ConnectorType)
	state.ConnectorKey = types.StringValue(view.ConnectorKey)
	state.InstanceName = types.StringValue(view.Name)
	state.InstanceKey = types.StringValue(view.Key)
	state.Version = types.StringValue(view.Version)
	state.Status = types.StringValue(view.Status)
	state.CreatedAt = types.StringValue(view.CreatedAt)
	return nil
}
