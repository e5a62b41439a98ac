package runtime

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/landlord/terraform-provider-landlord/internal/api/supervisorapi"
	"github.com/landlord/terraform-provider-landlord/internal/api/texts"
	"github.com/landlord/terraform-provider-landlord/internal/attribute"
	"github.com/landlord/terraform-provider-landlord/internal/client"
	"github.com/landlord/terraform-provider-landlord/internal/crud"
)

type credentials struct {
	DeploymentID  types.Int64  `tfsdk:"deployment_id"`
	Username      types.String `tfsdk:"username"`
	Password      types.String `tfsdk:"password"`
	PreviousUntil types.String `tfsdk:"previous_until"`
}

// NewCredentials is the data source landlord_credentials.
var NewCredentials = crud.NewSource(crud.Source[credentials]{
	Name: "credentials",
	Schema: func(context.Context) schema.Schema {
		return schema.Schema{
			MarkdownDescription: "The login of a deployment. The state contains the password.",
			Attributes: map[string]schema.Attribute{
				"deployment_id":  schema.Int64Attribute{MarkdownDescription: texts.Of("path.deployment_id"), Required: true},
				"username":       schema.StringAttribute{MarkdownDescription: texts.Of("CredentialsView.username"), Computed: true},
				"password":       schema.StringAttribute{MarkdownDescription: texts.Of("CredentialsView.password"), Computed: true, Sensitive: true},
				"previous_until": schema.StringAttribute{MarkdownDescription: texts.Of("CredentialsView.previous_until"), Computed: true},
			},
		}
	},
	Read: func(ctx context.Context, api *client.Client, data *credentials) error {
		answer, err := client.CallSupervisor(ctx, api, data.DeploymentID, supervisorapi.RuntimeGetCredentials(data.DeploymentID.ValueInt64()))
		if err != nil {
			return err
		}
		data.Username = types.StringValue(answer.Body.Username)
		data.Password = types.StringValue(answer.Body.Password)
		data.PreviousUntil = attribute.StringOf(answer.Body.PreviousUntil)
		return nil
	},
})
