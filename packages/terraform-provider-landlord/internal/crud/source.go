package crud

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/landlord/terraform-provider-landlord/internal/client"
)

// Source describes a data source whose configuration and result are an M.
type Source[M any] struct {
	// Name is the name without "landlord_".
	Name   string
	Schema func(context.Context) schema.Schema
	Read   func(ctx context.Context, api *client.Client, data *M) error
}

// NewSource returns the constructor that the provider lists.
func NewSource[M any](source Source[M]) func() datasource.DataSource {
	return func() datasource.DataSource { return &read[M]{source: source} }
}

type read[M any] struct {
	source Source[M]
	api    *client.Client
}

func (d *read[M]) Metadata(_ context.Context, request datasource.MetadataRequest, response *datasource.MetadataResponse) {
	response.TypeName = request.ProviderTypeName + "_" + d.source.Name
}

func (d *read[M]) Schema(ctx context.Context, _ datasource.SchemaRequest, response *datasource.SchemaResponse) {
	response.Schema = d.source.Schema(ctx)
}

func (d *read[M]) Configure(_ context.Context, request datasource.ConfigureRequest, _ *datasource.ConfigureResponse) {
	if api, ok := request.ProviderData.(*client.Client); ok {
		d.api = api
	}
}

func (d *read[M]) Read(ctx context.Context, request datasource.ReadRequest, response *datasource.ReadResponse) {
	var data M
	response.Diagnostics.Append(request.Config.Get(ctx, &data)...)
	if isUnusable(d.api, &response.Diagnostics) {
		return
	}
	if err := d.source.Read(ctx, d.api, &data); err != nil {
		report(&response.Diagnostics, response.State.Schema, nil, "read", d.source.Name, err)
		return
	}
	response.Diagnostics.Append(response.State.Set(ctx, &data)...)
}
