package organization

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/landlord/terraform-provider-landlord/internal/api/mainapi"
	"github.com/landlord/terraform-provider-landlord/internal/api/texts"
	"github.com/landlord/terraform-provider-landlord/internal/client"
	"github.com/landlord/terraform-provider-landlord/internal/crud"
)

// mostResults are on a page.
const mostResults = 100

type roleSource struct {
	Name types.String `tfsdk:"name"`
	ID   types.Int64  `tfsdk:"id"`
	Kind types.String `tfsdk:"kind"`
}

// NewRoleSource is the data source landlord_role.
var NewRoleSource = crud.NewSource(crud.Source[roleSource]{
	Name: "role",
	Schema: func(context.Context) schema.Schema {
		return schema.Schema{
			MarkdownDescription: "A role of the tenant by its name, such as the system role `viewer`.",
			Attributes: map[string]schema.Attribute{
				"name": schema.StringAttribute{MarkdownDescription: "Name of the role, without regard to case.", Required: true},
				"id":   schema.Int64Attribute{MarkdownDescription: texts.Of("RoleView.id"), Computed: true},
				"kind": schema.StringAttribute{MarkdownDescription: "`system` or `custom`.", Computed: true},
			},
		}
	},
	Read: func(ctx context.Context, api *client.Client, data *roleSource) error {
		results, name := mostResults, data.Name.ValueString()
		answer, err := client.Call(ctx, api.Main, mainapi.RolesList(api.TenantID, mainapi.RolesListQuery{Results: &results, Name: &name}))
		if err != nil {
			return err
		}
		for _, one := range answer.Body.Items {
			if strings.EqualFold(one.Name, name) {
				data.ID, data.Kind = types.Int64Value(one.Id), types.StringValue(one.Kind)
				return nil
			}
		}
		return client.NotFound("the tenant has no role %q", name)
	},
})
