package deployments

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/landlord/terraform-provider-landlord/internal/api/mainapi"
	"github.com/landlord/terraform-provider-landlord/internal/attribute"
	"github.com/landlord/terraform-provider-landlord/internal/client"
)

const unknownPrice = "The price is not known"

// warnOfPrice adds the price of a new deployment to the plan. A configuration with values that are not known yet has no price.
func warnOfPrice(ctx context.Context, api *client.Client, plan, config managed, to *diag.Diagnostics) {
	if warnOfUnknown(config, to) {
		return
	}
	divisionID, environmentID := plan.DivisionID.ValueInt64(), plan.EnvironmentID.ValueInt64()
	if plan.DivisionID.IsUnknown() || plan.EnvironmentID.IsUnknown() {
		// The environment does not exist yet. The price is the same in every environment.
		other, err := api.AnyEnvironment(ctx)
		if err != nil {
			refused(to, err)
			return
		}
		divisionID, environmentID = other.DivisionID, other.EnvironmentID
	}
	answer, err := client.Call(ctx, api.Main, mainapi.DeploymentsPreview(api.TenantID, divisionID, environmentID, mainapi.ShapeDto{
		Cloud: plan.Cloud.ValueString(), Region: plan.Region.ValueString(), Tier: plan.Tier.ValueString(), ManagedTier: attribute.Known(plan.ManagedTier),
		Storage: storageOf(plan.Storage), TargetNetworkTput: attribute.KnownInt(plan.TargetNetworkTput),
		NetworkScope: attribute.Known(plan.NetworkScope), AvailabilityMode: attribute.Known(plan.AvailabilityMode),
	}))
	if err != nil {
		refused(to, err)
		return
	}
	preview := answer.Body
	lines := []string{
		fmt.Sprintf("%d nodes. Compute %s, storage %s, estimated transfer %s. Transfer is billed on actual usage. Prices of version %s.",
			preview.Nodes, usd(preview.Breakdown.ComputeUsd), usd(preview.Breakdown.StorageUsd), usd(preview.Breakdown.NetworkUsd), preview.PricingVersion),
	}
	lines = append(lines, preview.Warnings...)
	for _, blocker := range preview.BlockedBy {
		lines = append(lines, fmt.Sprintf("Landlord would refuse the creation now: %s (%s)", blocker.Detail, blocker.Code))
	}
	summary := fmt.Sprintf("The deployment %s costs about %s a month", plan.Name.ValueString(), usd(preview.MonthlyTotalUsd))
	to.AddAttributeWarning(path.Root("tier"), summary, strings.Join(lines, "\n"))
}

// warnOfUnknown names the attributes of the price that another resource makes. False: there are none.
func warnOfUnknown(config managed, to *diag.Diagnostics) bool {
	shape := []struct {
		name      string
		isUnknown bool
	}{
		{"cloud", config.Cloud.IsUnknown()}, {"region", config.Region.IsUnknown()}, {"managed_tier", config.ManagedTier.IsUnknown()},
		{"tier", config.Tier.IsUnknown()}, {"storage", hasUnknown(config.Storage, "type", "size")},
		{"target_network_tput", config.TargetNetworkTput.IsUnknown()}, {"network_scope", config.NetworkScope.IsUnknown()},
		{"availability_mode", config.AvailabilityMode.IsUnknown()},
	}
	var names []string
	for _, one := range shape {
		if one.isUnknown {
			names = append(names, one.name)
		}
	}
	if names == nil {
		return false
	}
	to.AddAttributeWarning(path.Root(names[0]), unknownPrice, "The plan does not know these attributes yet, because another resource makes them: "+
		strings.Join(names, ", ")+". Apply that resource first, with -target, to see the price in the plan.")
	return true
}

// warnOfUpgradePrice adds the price of an upgrade to the plan. An upgrade that Landlord refuses is an error of the plan.
func warnOfUpgradePrice(ctx context.Context, api *client.Client, plan managed, body mainapi.UpgradeDto, to *diag.Diagnostics) {
	divisionID, environmentID, id := plan.place()
	answer, err := client.Call(ctx, api.Main, mainapi.DeploymentsPreviewUpgrade(api.TenantID, divisionID, environmentID, id, body))
	if err != nil {
		refused(to, err)
		return
	}
	preview := answer.Body
	view, err := plan.view(ctx, api)
	if err != nil {
		to.AddWarning("Landlord does not say whether it upgrades the deployment now", err.Error())
		return
	}
	refuseDuringCooldown(view, preview.ChangesHardware, to)
	summary := fmt.Sprintf("The deployment %s costs about %s a month after the upgrade, %s more than now",
		plan.Name.ValueString(), usd(preview.MonthlyTotalUsd), usd(preview.Difference.MonthlyTotalUsd))
	detail := "Only terms and the retention of telemetry change. No node is touched."
	if preview.ChangesHardware {
		detail = "The nodes are replaced by larger ones, one after the other."
	}
	to.AddAttributeWarning(path.Root("tier"), summary, detail+" Transfer is billed on actual usage.")
}

// refuseDuringCooldown adds an error for an upgrade of the hardware that comes too early.
func refuseDuringCooldown(view *mainapi.DeploymentView, changesHardware bool, to *diag.Diagnostics) {
	if view.CanUpgrade || !changesHardware {
		return
	}
	to.AddAttributeError(path.Root("tier"), "Landlord refuses this upgrade now",
		"The hardware of the deployment changed a moment ago (upgrade_cooldown). Plan again when can_upgrade of the deployment is true.")
}

// refused adds an error for a shape that the server refuses. Without the permission for previews, the plan has no price.
func refused(to *diag.Diagnostics, err error) {
	var problem *client.Problem
	if errors.As(err, &problem) && problem.IsOfRequest() {
		detail := problem.Error()
		for _, issue := range problem.FieldIssues {
			detail += fmt.Sprintf("\n%s: %s", strings.TrimPrefix(issue.Path, "/"), issue.Reason)
		}
		to.AddAttributeError(path.Root("tier"), "Landlord refuses this shape", detail)
		return
	}
	to.AddWarning(unknownPrice, err.Error())
}

func usd(amount float64) string { return fmt.Sprintf("%.2f USD", amount) }

func wrongKind(wanted string, view *mainapi.DeploymentView) error {
	return fmt.Errorf("deployment %d is of the kind %s, not %s: import it as another resource", view.Id, view.Variant, wanted)
}
