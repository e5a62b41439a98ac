// Package provider has the provider: its configuration, and the lists of its resources and data sources.
package provider

import (
	"context"
	"os"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/landlord/terraform-provider-landlord/internal/client"
	"github.com/landlord/terraform-provider-landlord/internal/deployments"
	"github.com/landlord/terraform-provider-landlord/internal/network"
	"github.com/landlord/terraform-provider-landlord/internal/notifications"
	"github.com/landlord/terraform-provider-landlord/internal/organization"
	"github.com/landlord/terraform-provider-landlord/internal/runtime"
)

// New returns the constructor of the provider.
func New(version string) func() provider.Provider {
	return func() provider.Provider { return &landlord{version: version} }
}

type landlord struct{ version string }

type configuration struct {
	URL            types.String `tfsdk:"url"`
	APIKey         types.String `tfsdk:"api_key"`
	TenantID       types.Int64  `tfsdk:"tenant_id"`
	ProtectionCode types.String `tfsdk:"protection_code"`
}

func (p *landlord) Metadata(_ context.Context, _ provider.MetadataRequest, response *provider.MetadataResponse) {
	response.TypeName = "landlord"
	response.Version = p.version
}

func (p *landlord) Schema(_ context.Context, _ provider.SchemaRequest, response *provider.SchemaResponse) {
	response.Schema = schema.Schema{
		MarkdownDescription: "Manages deployments of a message broker, and the organization around them, in an installation of Landlord.",
		Attributes: map[string]schema.Attribute{
			"url":       schema.StringAttribute{MarkdownDescription: "Address of the main API, such as `https://landlord.example.com`. Default: `LANDLORD_URL`.", Optional: true},
			"api_key":   schema.StringAttribute{MarkdownDescription: "An API key. Default: `LANDLORD_API_KEY`.", Optional: true, Sensitive: true},
			"tenant_id": schema.Int64Attribute{MarkdownDescription: "The tenant. Default: `LANDLORD_TENANT_ID`, otherwise the only tenant of the key.", Optional: true},
			"protection_code": schema.StringAttribute{
				MarkdownDescription: "A one-time code for the deletion of a protected resource, as Landlord has mailed the code. Default: `LANDLORD_PROTECTION_CODE`.",
				Optional:            true, Sensitive: true,
			},
		},
	}
}

func (p *landlord) Configure(ctx context.Context, request provider.ConfigureRequest, response *provider.ConfigureResponse) {
	var config configuration
	response.Diagnostics.Append(request.Config.Get(ctx, &config)...)
	if response.Diagnostics.HasError() {
		return
	}
	if config.URL.IsUnknown() || config.APIKey.IsUnknown() || config.TenantID.IsUnknown() {
		// Another resource makes these values. Terraform configures the provider again when they are known.
		return
	}
	settings := client.Settings{
		URL: orVariable(config.URL, "LANDLORD_URL"), APIKey: orVariable(config.APIKey, "LANDLORD_API_KEY"), TenantID: config.TenantID.ValueInt64(),
		ProtectionCode: orVariable(config.ProtectionCode, "LANDLORD_PROTECTION_CODE"), UserAgent: "terraform-provider-landlord/" + p.version,
	}
	if settings.URL == "" {
		response.Diagnostics.AddAttributeError(path.Root("url"), "The address of Landlord is missing", "Set url, or LANDLORD_URL.")
	}
	if settings.APIKey == "" {
		response.Diagnostics.AddAttributeError(path.Root("api_key"), "The API key is missing", "Set api_key, or LANDLORD_API_KEY.")
	}
	if id := os.Getenv("LANDLORD_TENANT_ID"); settings.TenantID == 0 && id != "" {
		tenantID, err := strconv.ParseInt(id, 10, 64)
		if err != nil {
			response.Diagnostics.AddAttributeError(path.Root("tenant_id"), "LANDLORD_TENANT_ID must be a whole number", err.Error())
		}
		settings.TenantID = tenantID
	}
	if response.Diagnostics.HasError() {
		return
	}
	api, err := client.New(ctx, settings)
	if err != nil {
		response.Diagnostics.AddError("Landlord cannot be used", err.Error())
		return
	}
	response.ResourceData = api
	response.DataSourceData = api
}

func orVariable(value types.String, name string) string {
	if value.ValueString() != "" {
		return value.ValueString()
	}
	return os.Getenv(name)
}

func (p *landlord) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{
		organization.NewDivision, organization.NewEnvironment, organization.NewRole, organization.NewAPIKey, organization.NewCloudAccount,
		organization.NewInvitation, organization.NewMember, organization.NewTenantConfig,
		notifications.NewChannel, notifications.NewSubscription,
		deployments.NewDeployment, deployments.NewStarterDeployment, deployments.NewByocDeployment,
		runtime.NewAccessRule, runtime.NewBrokerConfig, runtime.NewConnector, runtime.NewConnectorConfig, runtime.NewBackupSchedule,
		network.NewVpcPeering, network.NewNetworkPeering, network.NewEndpointService, network.NewServiceAttachment,
	}
}

func (p *landlord) DataSources(context.Context) []func() datasource.DataSource {
	return []func() datasource.DataSource{deployments.NewCatalog, deployments.NewPreview, organization.NewRoleSource, runtime.NewCredentials}
}
