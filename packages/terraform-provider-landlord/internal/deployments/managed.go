package deployments

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/objectplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/landlord/terraform-provider-landlord/internal/api/mainapi"
	"github.com/landlord/terraform-provider-landlord/internal/attribute"
	"github.com/landlord/terraform-provider-landlord/internal/client"
	"github.com/landlord/terraform-provider-landlord/internal/crud"
)

type managed struct {
	shared
	ManagedTier       types.String  `tfsdk:"managed_tier"`
	Tier              types.String  `tfsdk:"tier"`
	Cluster           types.String  `tfsdk:"cluster"`
	Storage           types.Object  `tfsdk:"storage"`
	TargetNetworkTput types.Int64   `tfsdk:"target_network_tput"`
	NetworkScope      types.String  `tfsdk:"network_scope"`
	AvailabilityMode  types.String  `tfsdk:"availability_mode"`
	Encrypted         types.Bool    `tfsdk:"encrypted"`
	PublicIPEnabled   types.Bool    `tfsdk:"public_ip_enabled"`
	SubdomainEnabled  types.Bool    `tfsdk:"subdomain_enabled"`
	Dedicated         types.Bool    `tfsdk:"dedicated"`
	RestoreFrom       types.Object  `tfsdk:"restore_from"`
	MonthlyBase       types.Float64 `tfsdk:"monthly_base"`
}

type restoreFrom struct {
	DeploymentID types.Int64 `tfsdk:"deployment_id"`
	BackupID     types.Int64 `tfsdk:"backup_id"`
}

// NewDeployment is the resource landlord_deployment.
var NewDeployment = crud.New(crud.Actions[managed]{
	Name:       "deployment",
	Schema:     managedSchema,
	ImportIDs:  importIDs,
	Timeouts:   func(model managed) timeouts.Value { return model.Timeouts },
	ModifyPlan: planManaged,
	Create: func(ctx context.Context, api *client.Client, plan *managed) error {
		answer, err := client.Call(ctx, api.Main, mainapi.DeploymentsCreateManaged(api.TenantID, plan.DivisionID.ValueInt64(), plan.EnvironmentID.ValueInt64(), plan.sent()))
		if err != nil {
			return err
		}
		if err := plan.accepted(ctx, api, answer.Body); err != nil {
			return err
		}
		return readManaged(ctx, api, plan)
	},
	Read: readManaged,
	Update: func(ctx context.Context, api *client.Client, plan *managed, state managed) error {
		if body, isUpgrade := plan.upgradeFrom(state); isUpgrade {
			if err := plan.upgrade(ctx, api, body); err != nil {
				return err
			}
		}
		if err := plan.change(ctx, api, state.shared); err != nil {
			return err
		}
		return readManaged(ctx, api, plan)
	},
	Delete: func(ctx context.Context, api *client.Client, state managed) error { return state.delete(ctx, api) },
})

func managedSchema(ctx context.Context) schema.Schema {
	restoreFrom := attribute.Object("CreateManagedDto.restore_from", attribute.Optional, map[string]schema.Attribute{
		"deployment_id": attribute.Int("RestoreFromDto.deployment_id", attribute.Required),
		"backup_id":     attribute.Int("RestoreFromDto.backup_id", attribute.Required),
	})
	restoreFrom.PlanModifiers = []planmodifier.Object{replaceUnlessImported()}
	return schema.Schema{
		MarkdownDescription: "A managed deployment. The plan shows the price as a warning. Larger values of `tier`, `storage.size` and `managed_tier` upgrade the deployment. Landlord refuses smaller values, and the plan says so.",
		Attributes: sharedAttributes(ctx, map[string]schema.Attribute{
			"managed_tier":        attribute.String("CreateManagedDto.managed_tier", attribute.Optional),
			"tier":                attribute.String("CreateManagedDto.tier", attribute.Required),
			"cluster":             attribute.String("CreateManagedDto.cluster", attribute.RequiredFixed),
			"storage":             storageAttribute(),
			"target_network_tput": attribute.Int("CreateManagedDto.target_network_tput", attribute.EitherFixed),
			"network_scope":       attribute.WithDefault("CreateManagedDto.network_scope", "same_region", true),
			"availability_mode":   attribute.WithDefault("CreateManagedDto.availability_mode", "single_az", true),
			"encrypted":           attribute.Flag("CreateManagedDto.encrypted", false, true),
			"public_ip_enabled":   attribute.Flag("CreateManagedDto.public_ip_enabled", true, true),
			"subdomain_enabled":   attribute.Bool("CreateManagedDto.subdomain_enabled", attribute.EitherFixed),
			"dedicated":           attribute.Flag("CreateManagedDto.dedicated", false, true),
			"restore_from":        restoreFrom,
			"monthly_base":        attribute.Float("DeploymentView.monthly_base", attribute.Stable),
		}),
	}
}

// replaceUnlessImported replaces the resource for another value. The API does not show the value of an imported resource.
func replaceUnlessImported() planmodifier.Object {
	const text = "Another value replaces the resource. An imported resource takes the value of the configuration."
	return objectplanmodifier.RequiresReplaceIf(func(_ context.Context, request planmodifier.ObjectRequest, response *objectplanmodifier.RequiresReplaceIfFuncResponse) {
		response.RequiresReplace = !request.StateValue.IsNull()
	}, text, text)
}

func (d *managed) sent() mainapi.CreateManagedDto {
	body := mainapi.CreateManagedDto{
		Name: d.Name.ValueString(), Cloud: d.Cloud.ValueString(), Region: d.Region.ValueString(), Tier: d.Tier.ValueString(), Cluster: d.Cluster.ValueString(),
		ManagedTier: attribute.Known(d.ManagedTier), Storage: storageOf(d.Storage), TargetNetworkTput: attribute.KnownInt(d.TargetNetworkTput),
		NetworkScope: attribute.Known(d.NetworkScope), AvailabilityMode: attribute.Known(d.AvailabilityMode), Description: attribute.Nullable(d.Description),
		Protected: attribute.KnownBool(d.Protected), Encrypted: attribute.KnownBool(d.Encrypted), PublicIpEnabled: attribute.KnownBool(d.PublicIPEnabled),
		SubdomainEnabled: attribute.KnownBool(d.SubdomainEnabled), Dedicated: attribute.KnownBool(d.Dedicated), Retention: retentionOf(d.Retention),
		SpendLimit: spendLimitOf(d.SpendLimit),
	}
	if !d.RestoreFrom.IsNull() && !d.RestoreFrom.IsUnknown() {
		var from restoreFrom
		d.RestoreFrom.As(context.Background(), &from, basetypes.ObjectAsOptions{})
		body.RestoreFrom = &mainapi.RestoreFromDto{DeploymentId: from.DeploymentID.ValueInt64(), BackupId: from.BackupID.ValueInt64()}
	}
	return body
}

// upgradeFrom returns the members that an upgrade changes. False: there are none.
func (d *managed) upgradeFrom(state managed) (mainapi.UpgradeDto, bool) {
	var body mainapi.UpgradeDto
	if !d.Tier.Equal(state.Tier) {
		body.Tier = attribute.Known(d.Tier)
	}
	if !d.ManagedTier.Equal(state.ManagedTier) {
		body.ManagedTier = attribute.Known(d.ManagedTier)
	}
	body.Storage = largerStorage(d.Storage, state.Storage)
	return body, body.Tier != nil || body.ManagedTier != nil || body.Storage != nil
}

func largerStorage(plan, state types.Object) *mainapi.StorageDto {
	wanted, current := storageOf(plan), storageOf(state)
	if wanted == nil || wanted.Size == nil || current == nil || current.Size != nil && *wanted.Size == *current.Size {
		return nil
	}
	return &mainapi.StorageDto{Size: wanted.Size}
}

// hasUnknown is true if the object or one of these members is not known yet.
func hasUnknown(object types.Object, members ...string) bool {
	if object.IsNull() || object.IsUnknown() {
		return object.IsUnknown()
	}
	return slices.ContainsFunc(members, func(name string) bool {
		member, ok := object.Attributes()[name]
		return ok && member.IsUnknown()
	})
}

func readManaged(ctx context.Context, api *client.Client, state *managed) error {
	view, err := state.view(ctx, api)
	if err != nil {
		return err
	}
	if view.Variant != "managed" {
		return wrongKind("managed", view)
	}
	state.take(view)
	shape := shapeOf(view)
	state.Tier = types.StringValue(shape.tier)
	state.Storage = storageObject(shape.storage)
	state.ManagedTier = shape.managedTier
	state.Cluster = types.StringValue(view.Cluster)
	state.TargetNetworkTput = types.Int64Value(int64(view.TargetNetworkTput))
	state.NetworkScope = types.StringValue(view.NetworkScope)
	state.AvailabilityMode = types.StringValue(view.AvailabilityMode)
	state.Encrypted = types.BoolValue(view.Encrypted)
	state.PublicIPEnabled = types.BoolValue(view.PublicIpEnabled)
	state.SubdomainEnabled = types.BoolValue(view.SubdomainEnabled)
	state.Dedicated = types.BoolValue(view.Dedicated)
	state.MonthlyBase = types.Float64PointerValue(view.MonthlyBase)
	return nil
}

// planManaged shows the price. It also says which values an upgrade changes.
func planManaged(ctx context.Context, api *client.Client, request resource.ModifyPlanRequest, response *resource.ModifyPlanResponse) {
	var plan managed
	response.Diagnostics.Append(request.Plan.Get(ctx, &plan)...)
	if response.Diagnostics.HasError() {
		return
	}
	var state, config managed
	response.Diagnostics.Append(request.Config.Get(ctx, &config)...)
	if response.Diagnostics.HasError() {
		return
	}
	if request.State.Raw.IsNull() {
		warnOfPrice(ctx, api, plan, config, &response.Diagnostics)
		return
	}
	response.Diagnostics.Append(request.State.Get(ctx, &state)...)
	if response.Diagnostics.HasError() {
		return
	}
	if !plan.ManagedTier.IsUnknown() && plan.ManagedTier.IsNull() != state.ManagedTier.IsNull() {
		// A Free deployment has no terms and never gets any.
		response.RequiresReplace = append(response.RequiresReplace, path.Root("managed_tier"))
	}
	if len(response.RequiresReplace) > 0 {
		warnOfPrice(ctx, api, plan, config, &response.Diagnostics)
		return
	}
	body, isUpgrade := plan.upgradeFrom(state)
	// Another resource makes a value of the shape, so this may be an upgrade.
	isShapeUnknown := plan.Tier.IsUnknown() || plan.ManagedTier.IsUnknown() || hasUnknown(plan.Storage, "size")
	if !isUpgrade && !isShapeUnknown {
		return
	}
	unknown := map[string]any{"monthly_base": types.Float64Unknown(), "nodes_count": types.Int64Unknown()}
	if config.Retention.IsNull() {
		unknown["retention"] = types.ObjectUnknown(retentionType)
	}
	if config.TargetNetworkTput.IsNull() {
		unknown["target_network_tput"] = types.Int64Unknown()
	}
	for name, value := range unknown {
		response.Diagnostics.Append(response.Plan.SetAttribute(ctx, path.Root(name), value)...)
	}
	if isShapeUnknown {
		warnOfUnknown(config, &response.Diagnostics)
		return
	}
	warnOfUpgradePrice(ctx, api, plan, body, &response.Diagnostics)
}
