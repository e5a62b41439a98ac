// Package deployments has the resources for deployments, and the data sources of the catalogue and of prices.
package deployments

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework-validators/float64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/landlord/terraform-provider-landlord/internal/api/mainapi"
	"github.com/landlord/terraform-provider-landlord/internal/attribute"
	"github.com/landlord/terraform-provider-landlord/internal/client"
	"github.com/oapi-codegen/nullable"
)

// shared are the attributes of every deployment.
type shared struct {
	ID            types.Int64    `tfsdk:"id"`
	DivisionID    types.Int64    `tfsdk:"division_id"`
	EnvironmentID types.Int64    `tfsdk:"environment_id"`
	Name          types.String   `tfsdk:"name"`
	Description   types.String   `tfsdk:"description"`
	Protected     types.Bool     `tfsdk:"protected"`
	SpendLimit    types.Float64  `tfsdk:"spend_limit"`
	Retention     types.Object   `tfsdk:"retention"`
	Cloud         types.String   `tfsdk:"cloud"`
	Region        types.String   `tfsdk:"region"`
	Area          types.String   `tfsdk:"area"`
	Code          types.String   `tfsdk:"code"`
	Domain        types.String   `tfsdk:"domain"`
	SupervisorURL types.String   `tfsdk:"supervisor_url"`
	Reachable     types.Bool     `tfsdk:"supervisor_reachable"`
	NodesCount    types.Int64    `tfsdk:"nodes_count"`
	Clients       types.String   `tfsdk:"clients"`
	Protocols     types.Object   `tfsdk:"protocols"`
	CreatedAt     types.String   `tfsdk:"created_at"`
	Timeouts      timeouts.Value `tfsdk:"timeouts"`
}

var (
	retentionType = map[string]attr.Type{"telemetry_days": types.Int64Type}
	storageType   = map[string]attr.Type{"type": types.StringType, "size": types.Int64Type}
	// importIDs name a deployment.
	importIDs = [][]string{{"division_id", "environment_id", "id"}}
)

type retention struct {
	TelemetryDays types.Int64 `tfsdk:"telemetry_days"`
}

type storage struct {
	Type types.String `tfsdk:"type"`
	Size types.Int64  `tfsdk:"size"`
}

// sharedAttributes returns the attributes of every deployment and those of one kind.
func sharedAttributes(ctx context.Context, own map[string]schema.Attribute) map[string]schema.Attribute {
	spendLimit := attribute.Float("CreateManagedDto.spend_limit", attribute.Optional)
	spendLimit.Validators = []validator.Float64{float64validator.AtLeast(0)}
	all := map[string]schema.Attribute{
		"id":             attribute.ID("DeploymentView.id"),
		"division_id":    attribute.Int("path.division_id", attribute.RequiredFixed),
		"environment_id": attribute.Int("path.environment_id", attribute.RequiredFixed),
		"name":           attribute.String("UpdateDeploymentDto.name", attribute.Required, attribute.Trimmed()),
		"description":    attribute.Text("UpdateDeploymentDto.description", attribute.Optional),
		"protected":      attribute.Flag("UpdateDeploymentDto.protected", false, false),
		"spend_limit":    spendLimit,
		"retention": attribute.Object("CreateManagedDto.retention", attribute.Either, map[string]schema.Attribute{
			"telemetry_days": attribute.Int("RetentionDto.telemetry_days", attribute.Required, int64validator.AtLeast(1)),
		}),
		"cloud":                attribute.String("CreateManagedDto.cloud", attribute.RequiredFixed),
		"region":               attribute.String("CreateManagedDto.region", attribute.RequiredFixed),
		"area":                 attribute.String("DeploymentView.area", attribute.Stable),
		"code":                 attribute.String("DeploymentView.code", attribute.Stable),
		"domain":               attribute.String("DeploymentView.domain", attribute.Stable),
		"supervisor_url":       attribute.String("DeploymentView.supervisor_url", attribute.Stable),
		"supervisor_reachable": attribute.Bool("DeploymentView.supervisor_reachable", attribute.Volatile),
		"nodes_count":          attribute.Int("DeploymentView.nodes_count", attribute.Stable),
		"clients":              attribute.String("DeploymentView.clients", attribute.Volatile),
		"protocols":            protocolsAttribute(),
		"created_at":           attribute.CreatedAt(),
		"timeouts":             timeouts.Attributes(ctx, timeouts.Opts{Create: true, Update: true, Delete: true}),
	}
	maps.Copy(all, own)
	return all
}

func storageAttribute() schema.SingleNestedAttribute {
	return attribute.Object("CreateManagedDto.storage", attribute.Either, map[string]schema.Attribute{
		"type": attribute.String("StorageDto.type", attribute.EitherFixed),
		"size": attribute.Int("StorageDto.size", attribute.Either, int64validator.AtLeast(1)),
	})
}

func storageOf(object types.Object) *mainapi.StorageDto {
	if object.IsNull() || object.IsUnknown() {
		return nil
	}
	var found storage
	object.As(context.Background(), &found, basetypes.ObjectAsOptions{})
	return &mainapi.StorageDto{Type: attribute.Known(found.Type), Size: attribute.KnownInt(found.Size)}
}

func storageObject(view mainapi.StorageShapeView) types.Object {
	return types.ObjectValueMust(storageType, map[string]attr.Value{"type": types.StringValue(view.Type), "size": types.Int64Value(int64(view.Size))})
}

func retentionOf(object types.Object) *mainapi.RetentionDto {
	if object.IsNull() || object.IsUnknown() {
		return nil
	}
	var found retention
	object.As(context.Background(), &found, basetypes.ObjectAsOptions{})
	return &mainapi.RetentionDto{TelemetryDays: int(found.TelemetryDays.ValueInt64())}
}

func spendLimitOf(limit types.Float64) nullable.Nullable[float64] {
	if limit.IsNull() || limit.IsUnknown() {
		return nullable.NewNullNullable[float64]()
	}
	return nullable.NewNullableWithValue(limit.ValueFloat64())
}

// accepted saves the ids of a new deployment before the wait, so that a failed deployment can be deleted.
func (d *shared) accepted(ctx context.Context, api *client.Client, answer *mainapi.AcceptedView) error {
	d.ID = types.Int64Value(answer.DeploymentId)
	d.EnvironmentID = types.Int64Value(answer.EnvironmentId)
	return api.WaitFor(ctx, answer.OperationId)
}

func (d *shared) place() (divisionID, environmentID, id int64) {
	return d.DivisionID.ValueInt64(), d.EnvironmentID.ValueInt64(), d.ID.ValueInt64()
}

func (d *shared) view(ctx context.Context, api *client.Client) (*mainapi.DeploymentView, error) {
	divisionID, environmentID, id := d.place()
	answer, err := client.Call(ctx, api.Main, mainapi.DeploymentsGet(api.TenantID, divisionID, environmentID, id))
	if err != nil {
		return nil, err
	}
	return answer.Body, nil
}

// change sends what differs from the state.
func (d *shared) change(ctx context.Context, api *client.Client, state shared) error {
	divisionID, environmentID, id := d.place()
	if !d.Name.Equal(state.Name) || !d.Description.Equal(state.Description) || !d.Protected.Equal(state.Protected) {
		_, err := client.Call(ctx, api.Main, mainapi.DeploymentsUpdate(api.TenantID, divisionID, environmentID, id, mainapi.UpdateDeploymentDto{
			Name: attribute.Known(d.Name), Description: attribute.Nullable(d.Description), Protected: attribute.KnownBool(d.Protected),
		}))
		if err != nil {
			return err
		}
	}
	if wanted := retentionOf(d.Retention); wanted != nil && !d.Retention.Equal(state.Retention) {
		_, err := client.Call(ctx, api.Main, mainapi.DeploymentsSetRetention(api.TenantID, divisionID, environmentID, id, mainapi.ChangeRetentionDto{Retention: *wanted}))
		if err != nil {
			return err
		}
	}
	if !d.SpendLimit.Equal(state.SpendLimit) {
		_, err := client.Call(ctx, api.Main, mainapi.DeploymentsSetSpendLimit(api.TenantID, divisionID, environmentID, id, mainapi.SpendLimitDto{SpendLimit: spendLimitOf(d.SpendLimit)}))
		if err != nil {
			return err
		}
	}
	return nil
}

func (d *shared) take(view *mainapi.DeploymentView) {
	d.ID = types.Int64Value(view.Id)
	d.DivisionID = types.Int64Value(view.DivisionId)
	d.EnvironmentID = types.Int64Value(view.EnvironmentId)
	d.Name = types.StringValue(view.Name)
	d.Description = attribute.TextOf(view.Description, d.Description)
	d.Protected = types.BoolValue(view.Protected)
	d.SpendLimit = types.Float64Null()
	if limit, err := view.SpendLimit.Get(); err == nil {
		d.SpendLimit = types.Float64Value(limit)
	}
	d.Retention = types.ObjectValueMust(retentionType, map[string]attr.Value{"telemetry_days": types.Int64Value(int64(view.Retention.TelemetryDays))})
	d.Cloud = types.StringValue(view.Cloud)
	d.Region = types.StringValue(view.Region)
	d.Area = types.StringValue(view.Area)
	d.Code = types.StringValue(view.Code)
	d.Domain = attribute.StringOf(view.Domain)
	d.SupervisorURL = attribute.StringOf(view.SupervisorUrl)
	d.Reachable = types.BoolValue(view.SupervisorReachable)
	d.NodesCount = types.Int64Value(int64(view.NodesCount))
	d.Clients = attribute.StringOf(view.Clients)
	d.Protocols = protocolsObject(view.Protocols)
	d.CreatedAt = types.StringValue(view.CreatedAt)
}

// shape is what an upgrade changes.
type shape struct {
	tier        string
	storage     mainapi.StorageShapeView
	managedTier types.String
}

// shapeOf returns the shape that was asked for. A requested upgrade counts as done, so that a plan does not ask for it again.
func shapeOf(view *mainapi.DeploymentView) shape {
	if pending, err := view.PendingUpgrade.Get(); err == nil {
		return shape{tier: pending.Tier, storage: pending.Storage, managedTier: attribute.StringOf(pending.ManagedTier)}
	}
	return shape{tier: view.Tier, storage: view.Storage, managedTier: types.StringPointerValue(view.ManagedTier)}
}

func (d *shared) upgrade(ctx context.Context, api *client.Client, body mainapi.UpgradeDto) error {
	divisionID, environmentID, id := d.place()
	answer, err := client.Call(ctx, api.Main, mainapi.DeploymentsUpgrade(api.TenantID, divisionID, environmentID, id, body))
	if err != nil {
		return err
	}
	return api.WaitFor(ctx, answer.Body.OperationId)
}

func (d *shared) delete(ctx context.Context, api *client.Client) error {
	divisionID, environmentID, id := d.place()
	answer, err := client.Call(ctx, api.Main, mainapi.DeploymentsDelete(api.TenantID, divisionID, environmentID, id, api.ProtectionCode()))
	if err != nil {
		return err
	}
	return api.WaitFor(ctx, answer.Body.OperationId)
}
