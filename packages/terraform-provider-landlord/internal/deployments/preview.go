package deployments

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/landlord/terraform-provider-landlord/internal/api/mainapi"
	"github.com/landlord/terraform-provider-landlord/internal/api/texts"
	"github.com/landlord/terraform-provider-landlord/internal/attribute"
	"github.com/landlord/terraform-provider-landlord/internal/client"
	"github.com/landlord/terraform-provider-landlord/internal/crud"
)

type preview struct {
	Cloud                 types.String  `tfsdk:"cloud"`
	Region                types.String  `tfsdk:"region"`
	ManagedTier           types.String  `tfsdk:"managed_tier"`
	Tier                  types.String  `tfsdk:"tier"`
	Storage               *storage      `tfsdk:"storage"`
	TargetNetworkTput     types.Int64   `tfsdk:"target_network_tput"`
	NetworkScope          types.String  `tfsdk:"network_scope"`
	AvailabilityMode      types.String  `tfsdk:"availability_mode"`
	Nodes                 types.Int64   `tfsdk:"nodes"`
	IncludedTelemetryDays types.Int64   `tfsdk:"included_telemetry_days"`
	PricingVersion        types.String  `tfsdk:"pricing_version"`
	MonthlyBaseUSD        types.Float64 `tfsdk:"monthly_base_usd"`
	MonthlyTotalUSD       types.Float64 `tfsdk:"monthly_total_usd"`
	Breakdown             *breakdown    `tfsdk:"breakdown"`
	Warnings              []string      `tfsdk:"warnings"`
	Orderable             types.Bool    `tfsdk:"orderable"`
}

type breakdown struct {
	ComputeUSD types.Float64 `tfsdk:"compute_usd"`
	StorageUSD types.Float64 `tfsdk:"storage_usd"`
	NetworkUSD types.Float64 `tfsdk:"network_usd"`
}

// NewPreview is the data source landlord_preview.
var NewPreview = crud.NewSource(crud.Source[preview]{Name: "preview", Schema: previewSchema, Read: readPreview})

func previewSchema(context.Context) schema.Schema {
	text := func(member string, required bool) schema.StringAttribute {
		made := schema.StringAttribute{MarkdownDescription: texts.Of("ShapeDto." + member), Required: required, Optional: !required}
		if allowed := texts.Values("ShapeDto." + member); allowed != nil {
			made.Validators = []validator.String{stringvalidator.OneOf(allowed...)}
		}
		return made
	}
	number := func(place string) schema.Float64Attribute {
		return schema.Float64Attribute{MarkdownDescription: texts.Of(place), Computed: true}
	}
	return schema.Schema{
		MarkdownDescription: "The price of a deployment, without an order. The key must see an environment.",
		Attributes: map[string]schema.Attribute{
			"cloud":        text("cloud", true),
			"region":       text("region", true),
			"tier":         text("tier", true),
			"managed_tier": text("managed_tier", false),
			"storage": schema.SingleNestedAttribute{
				MarkdownDescription: texts.Of("ShapeDto.storage"), Optional: true,
				Attributes: map[string]schema.Attribute{
					"type": schema.StringAttribute{MarkdownDescription: texts.Of("StorageDto.type"), Optional: true},
					"size": schema.Int64Attribute{MarkdownDescription: texts.Of("StorageDto.size"), Optional: true},
				},
			},
			"target_network_tput":     schema.Int64Attribute{MarkdownDescription: texts.Of("ShapeDto.target_network_tput"), Optional: true},
			"network_scope":           text("network_scope", false),
			"availability_mode":       text("availability_mode", false),
			"nodes":                   schema.Int64Attribute{MarkdownDescription: texts.Of("PreviewView.nodes"), Computed: true},
			"included_telemetry_days": schema.Int64Attribute{MarkdownDescription: texts.Of("PreviewView.included_telemetry_days"), Computed: true},
			"pricing_version":         schema.StringAttribute{MarkdownDescription: texts.Of("PreviewView.pricing_version"), Computed: true},
			"monthly_base_usd":        number("PreviewView.monthly_base_usd"),
			"monthly_total_usd":       number("PreviewView.monthly_total_usd"),
			"breakdown": schema.SingleNestedAttribute{
				MarkdownDescription: texts.Of("PreviewView.breakdown"), Computed: true,
				Attributes: map[string]schema.Attribute{
					"compute_usd": number("PriceBreakdownView.compute_usd"), "storage_usd": number("PriceBreakdownView.storage_usd"),
					"network_usd": number("PriceBreakdownView.network_usd"),
				},
			},
			"warnings":  schema.ListAttribute{MarkdownDescription: texts.Of("PreviewView.warnings"), Computed: true, ElementType: types.StringType},
			"orderable": schema.BoolAttribute{MarkdownDescription: texts.Of("PreviewView.orderable"), Computed: true},
		},
	}
}

func readPreview(ctx context.Context, api *client.Client, data *preview) error {
	place, err := api.AnyEnvironment(ctx)
	if err != nil {
		return err
	}
	body := mainapi.ShapeDto{
		Cloud: data.Cloud.ValueString(), Region: data.Region.ValueString(), Tier: data.Tier.ValueString(), ManagedTier: data.ManagedTier.ValueStringPointer(),
		TargetNetworkTput: attribute.KnownInt(data.TargetNetworkTput), NetworkScope: data.NetworkScope.ValueStringPointer(), AvailabilityMode: data.AvailabilityMode.ValueStringPointer(),
	}
	if data.Storage != nil {
		body.Storage = &mainapi.StorageDto{Type: data.Storage.Type.ValueStringPointer(), Size: attribute.KnownInt(data.Storage.Size)}
	}
	answer, err := client.Call(ctx, api.Main, mainapi.DeploymentsPreview(api.TenantID, place.DivisionID, place.EnvironmentID, body))
	if err != nil {
		return err
	}
	view := answer.Body
	data.Nodes = types.Int64Value(int64(view.Nodes))
	data.IncludedTelemetryDays = types.Int64Value(int64(view.IncludedTelemetryDays))
	data.PricingVersion = types.StringValue(view.PricingVersion)
	data.MonthlyBaseUSD = types.Float64Value(view.MonthlyBaseUsd)
	data.MonthlyTotalUSD = types.Float64Value(view.MonthlyTotalUsd)
	data.Breakdown = &breakdown{
		ComputeUSD: types.Float64Value(view.Breakdown.ComputeUsd), StorageUSD: types.Float64Value(view.Breakdown.StorageUsd),
		NetworkUSD: types.Float64Value(view.Breakdown.NetworkUsd),
	}
	data.Warnings = view.Warnings
	data.Orderable = types.BoolValue(view.Orderable)
	return nil
}
