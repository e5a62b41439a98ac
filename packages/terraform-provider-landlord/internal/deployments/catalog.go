package deployments

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/landlord/terraform-provider-landlord/internal/api/mainapi"
	"github.com/landlord/terraform-provider-landlord/internal/api/texts"
	"github.com/landlord/terraform-provider-landlord/internal/attribute"
	"github.com/landlord/terraform-provider-landlord/internal/client"
	"github.com/landlord/terraform-provider-landlord/internal/crud"
)

type catalog struct {
	Cloud    types.String     `tfsdk:"cloud"`
	Region   types.String     `tfsdk:"region"`
	Clouds   []catalogCloud   `tfsdk:"clouds"`
	Regions  []catalogRegion  `tfsdk:"regions"`
	Tiers    []catalogTier    `tfsdk:"tiers"`
	Storages []catalogStorage `tfsdk:"storages"`
}

type catalogCloud struct {
	Key    types.String `tfsdk:"key"`
	Name   types.String `tfsdk:"name"`
	Driver types.String `tfsdk:"driver"`
}

type catalogRegion struct {
	Key       types.String `tfsdk:"key"`
	Name      types.String `tfsdk:"name"`
	Area      types.String `tfsdk:"area"`
	Available types.Bool   `tfsdk:"available"`
}

type catalogTier struct {
	Key         types.String  `tfsdk:"key"`
	Name        types.String  `tfsdk:"name"`
	Description types.String  `tfsdk:"description"`
	Available   types.Bool    `tfsdk:"available"`
	Limit       types.Int64   `tfsdk:"limit"`
	Vcpus       types.Float64 `tfsdk:"vcpus"`
	MemoryGib   types.Float64 `tfsdk:"memory_gib"`
	Clusters    types.Set     `tfsdk:"clusters"`
	Storages    types.Set     `tfsdk:"storages"`
}

type catalogStorage struct {
	Key         types.String `tfsdk:"key"`
	Name        types.String `tfsdk:"name"`
	Description types.String `tfsdk:"description"`
	Available   types.Bool   `tfsdk:"available"`
	Clusters    types.Set    `tfsdk:"clusters"`
}

// NewCatalog is the data source landlord_catalog.
var NewCatalog = crud.NewSource(crud.Source[catalog]{Name: "catalog", Schema: catalogSchema, Read: readCatalog})

func catalogSchema(context.Context) schema.Schema {
	return schema.Schema{
		MarkdownDescription: "What the tenant can order. `clouds` is always there, `regions` with `cloud`, and `tiers` and `storages` with `region`.",
		Attributes: map[string]schema.Attribute{
			"cloud": schema.StringAttribute{MarkdownDescription: texts.Of("path.cloud"), Optional: true},
			"region": schema.StringAttribute{
				MarkdownDescription: texts.Of("ShapeDto.region"), Optional: true,
				Validators: []validator.String{stringvalidator.AlsoRequires(path.MatchRoot("cloud"))},
			},
			"clouds":   listOf("Clouds.", "CloudView", map[string]kind{"key": isText, "name": isText, "driver": isText}),
			"regions":  listOf("Regions of the cloud.", "RegionView", map[string]kind{"key": isText, "name": isText, "area": isText, "available": isBool}),
			"tiers":    listOf("Compute sizes of the region.", "TierView", map[string]kind{"key": isText, "name": isText, "description": isText, "available": isBool, "limit": isInt, "vcpus": isFloat, "memory_gib": isFloat, "clusters": isSet, "storages": isSet}),
			"storages": listOf("Types of storage of the region.", "StorageView", map[string]kind{"key": isText, "name": isText, "description": isText, "available": isBool, "clusters": isSet}),
		},
	}
}

type kind int

const (
	isText kind = iota
	isBool
	isInt
	isFloat
	isSet
)

// listOf is a list of records. The name of a record has no text in the API descriptions.
func listOf(text, view string, members map[string]kind) schema.ListNestedAttribute {
	attributes := map[string]schema.Attribute{}
	for name, kind := range members {
		describe := map[string]string{"name": "Name for people.", "description": "Description for people."}[name]
		if describe == "" {
			describe = texts.Of(view + "." + name)
		}
		switch kind {
		case isText:
			attributes[name] = schema.StringAttribute{MarkdownDescription: describe, Computed: true}
		case isBool:
			attributes[name] = schema.BoolAttribute{MarkdownDescription: describe, Computed: true}
		case isInt:
			attributes[name] = schema.Int64Attribute{MarkdownDescription: describe, Computed: true}
		case isFloat:
			attributes[name] = schema.Float64Attribute{MarkdownDescription: describe, Computed: true}
		case isSet:
			attributes[name] = schema.SetAttribute{MarkdownDescription: describe, Computed: true, ElementType: types.StringType}
		}
	}
	return schema.ListNestedAttribute{MarkdownDescription: text, Computed: true, NestedObject: schema.NestedAttributeObject{Attributes: attributes}}
}

func readCatalog(ctx context.Context, api *client.Client, data *catalog) error {
	clouds, err := client.Call(ctx, api.Main, mainapi.CatalogListClouds(api.TenantID))
	if err != nil {
		return err
	}
	for _, view := range *clouds.Body {
		data.Clouds = append(data.Clouds, catalogCloud{Key: types.StringValue(view.Key), Name: types.StringValue(view.Name), Driver: attribute.StringOf(view.Driver)})
	}
	if data.Cloud.IsNull() {
		return nil
	}
	cloud := data.Cloud.ValueString()
	regions, err := client.Call(ctx, api.Main, mainapi.CatalogListRegions(api.TenantID, cloud))
	if err != nil {
		return err
	}
	for _, view := range *regions.Body {
		data.Regions = append(data.Regions, catalogRegion{
			Key: types.StringValue(view.Key), Name: types.StringValue(view.Name), Area: types.StringValue(view.Area), Available: types.BoolValue(view.Available),
		})
	}
	if data.Region.IsNull() {
		return nil
	}
	return readRegion(ctx, api, data)
}

func readRegion(ctx context.Context, api *client.Client, data *catalog) error {
	cloud, region := data.Cloud.ValueString(), data.Region.ValueString()
	tiers, err := client.Call(ctx, api.Main, mainapi.CatalogListTiers(api.TenantID, cloud, region))
	if err != nil {
		return err
	}
	storages, err := client.Call(ctx, api.Main, mainapi.CatalogListStorages(api.TenantID, cloud, region))
	if err != nil {
		return err
	}
	none := types.SetValueMust(types.StringType, nil)
	for _, view := range *tiers.Body {
		data.Tiers = append(data.Tiers, catalogTier{
			Key: types.StringValue(view.Key), Name: types.StringValue(view.Name), Description: types.StringValue(view.Description),
			Available: types.BoolValue(view.Available), Limit: types.Int64Value(int64(view.Limit)), Vcpus: types.Float64Value(view.Vcpus),
			MemoryGib: types.Float64Value(view.MemoryGib), Clusters: attribute.SetOf(view.Clusters, none), Storages: attribute.SetOf(view.Storages, none),
		})
	}
	for _, view := range *storages.Body {
		data.Storages = append(data.Storages, catalogStorage{
			Key: types.StringValue(view.Key), Name: types.StringValue(view.Name), Description: types.StringValue(view.Description),
			Available: types.BoolValue(view.Available), Clusters: attribute.SetOf(view.Clusters, none),
		})
	}
	return nil
}
