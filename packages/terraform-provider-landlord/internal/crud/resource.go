// Package crud has what all resources of the provider share.
package crud

import (
	"context"
	"errors"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/landlord/terraform-provider-landlord/internal/client"
)

// patience is the limit of a change of a resource without `timeouts`.
const patience = 30 * time.Minute

// Actions describe a resource whose state and plan are an M.
type Actions[M any] struct {
	// Name is the name without "landlord_".
	Name   string
	Schema func(context.Context) schema.Schema
	// Create fills the computed members of the plan. A plan with an id is saved also when Create fails. Terraform replaces the resource then,
	// unless the error is an AfterCreation.
	Create func(ctx context.Context, api *client.Client, plan *M) error
	// Read returns an error for which client.IsNotFound is true if the resource is gone.
	Read func(ctx context.Context, api *client.Client, state *M) error
	// Update fills the computed members of the plan. Nil: every change of an attribute of the API replaces the resource.
	Update func(ctx context.Context, api *client.Client, plan *M, state M) error
	Delete func(ctx context.Context, api *client.Client, state M) error
	// ImportIDs are the attributes that the id of an import consists of, with "/" between their values: one list for each allowed number.
	ImportIDs [][]string
	// Timeouts returns the limits that the user has set. Nil: the resource has none.
	Timeouts func(M) timeouts.Value
	// ModifyPlan checks or extends the plan. Nil: nothing to do.
	ModifyPlan func(ctx context.Context, api *client.Client, request resource.ModifyPlanRequest, response *resource.ModifyPlanResponse)
	// WriteOnly takes the values that only the configuration has into the plan. Nil: there are none.
	WriteOnly func(plan *M, config M)
	// Renamed are the attributes with another name than the member of the request.
	Renamed map[string]string
}

// New returns the constructor that the provider lists.
func New[M any](actions Actions[M]) func() resource.Resource {
	return func() resource.Resource { return &managed[M]{actions: actions} }
}

type managed[M any] struct {
	actions Actions[M]
	api     *client.Client
}

func (r *managed[M]) Metadata(_ context.Context, request resource.MetadataRequest, response *resource.MetadataResponse) {
	response.TypeName = request.ProviderTypeName + "_" + r.actions.Name
}

func (r *managed[M]) Schema(ctx context.Context, _ resource.SchemaRequest, response *resource.SchemaResponse) {
	response.Schema = r.actions.Schema(ctx)
}

func (r *managed[M]) Configure(_ context.Context, request resource.ConfigureRequest, _ *resource.ConfigureResponse) {
	if api, ok := request.ProviderData.(*client.Client); ok {
		r.api = api
	}
}

func (r *managed[M]) Create(ctx context.Context, request resource.CreateRequest, response *resource.CreateResponse) {
	var plan M
	response.Diagnostics.Append(request.Plan.Get(ctx, &plan)...)
	r.takeWriteOnly(ctx, request.Config, &plan, &response.Diagnostics)
	if isUnusable(r.api, &response.Diagnostics) {
		return
	}
	ctx, cancel := r.limited(ctx, plan, timeouts.Value.Create)
	defer cancel()
	err := r.actions.Create(ctx, r.api, &plan)
	response.Diagnostics.Append(response.State.Set(ctx, &plan)...)
	if err == nil {
		return
	}
	var failed *afterCreation
	if errors.As(err, &failed) && response.State.Raw.IsFullyKnown() {
		warnOfChange(&response.Diagnostics, response.State.Schema, r.actions.Renamed, r.actions.Name, failed)
		return
	}
	report(&response.Diagnostics, response.State.Schema, r.actions.Renamed, "create", r.actions.Name, err)
	var id types.Int64
	if response.State.GetAttribute(ctx, path.Root("id"), &id).HasError() || id.IsUnknown() || id.IsNull() {
		response.State.RemoveResource(ctx)
		if client.IsUnanswered(err) {
			response.Diagnostics.AddWarning("The "+spoken(r.actions.Name)+" may exist",
				"Landlord has not answered the creation. Look for the resource, and import it or delete it before the next run. Otherwise the next run may create a second one.")
		}
		return
	}
	// The resource exists, so Terraform must be able to delete it.
	response.State.Raw = withoutUnknown(response.State.Raw)
}

// takeWriteOnly completes the plan. The framework removes these values from the state again.
func (r *managed[M]) takeWriteOnly(ctx context.Context, from tfsdk.Config, plan *M, to *diag.Diagnostics) {
	if r.actions.WriteOnly == nil {
		return
	}
	var config M
	to.Append(from.Get(ctx, &config)...)
	r.actions.WriteOnly(plan, config)
}

func (r *managed[M]) Read(ctx context.Context, request resource.ReadRequest, response *resource.ReadResponse) {
	var state M
	response.Diagnostics.Append(request.State.Get(ctx, &state)...)
	if isUnusable(r.api, &response.Diagnostics) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	err := r.actions.Read(ctx, r.api, &state)
	if client.IsNotFound(err) {
		response.State.RemoveResource(ctx)
		return
	}
	if err != nil {
		report(&response.Diagnostics, response.State.Schema, r.actions.Renamed, "read", r.actions.Name, err)
		return
	}
	response.Diagnostics.Append(response.State.Set(ctx, &state)...)
}

func (r *managed[M]) Update(ctx context.Context, request resource.UpdateRequest, response *resource.UpdateResponse) {
	var plan, state M
	response.Diagnostics.Append(request.Plan.Get(ctx, &plan)...)
	response.Diagnostics.Append(request.State.Get(ctx, &state)...)
	r.takeWriteOnly(ctx, request.Config, &plan, &response.Diagnostics)
	if isUnusable(r.api, &response.Diagnostics) {
		return
	}
	ctx, cancel := r.limited(ctx, plan, timeouts.Value.Update)
	defer cancel()
	var err error
	if r.actions.Update != nil {
		err = r.actions.Update(ctx, r.api, &plan, state)
	} else {
		// Only attributes that the API does not know have changed, such as `timeouts`.
		err = r.actions.Read(ctx, r.api, &plan)
	}
	if err != nil {
		report(&response.Diagnostics, response.State.Schema, r.actions.Renamed, "update", r.actions.Name, err)
		return
	}
	response.Diagnostics.Append(response.State.Set(ctx, &plan)...)
}

func (r *managed[M]) Delete(ctx context.Context, request resource.DeleteRequest, response *resource.DeleteResponse) {
	var state M
	response.Diagnostics.Append(request.State.Get(ctx, &state)...)
	if isUnusable(r.api, &response.Diagnostics) {
		return
	}
	ctx, cancel := r.limited(ctx, state, timeouts.Value.Delete)
	defer cancel()
	err := r.actions.Delete(ctx, r.api, state)
	if err != nil && !client.IsNotFound(err) {
		report(&response.Diagnostics, response.State.Schema, r.actions.Renamed, "delete", r.actions.Name, err)
	}
}

func (r *managed[M]) ModifyPlan(ctx context.Context, request resource.ModifyPlanRequest, response *resource.ModifyPlanResponse) {
	isDestroyed := request.Plan.Raw.IsNull()
	if isDestroyed {
		return
	}
	if changesNothing(request) {
		response.Plan.Raw = request.State.Raw
		return
	}
	if r.actions.ModifyPlan == nil || r.api == nil {
		return
	}
	r.actions.ModifyPlan(ctx, r.api, request, response)
}

// isUnusable is true after an error, and while the configuration of the provider has values that are not known yet.
func isUnusable(api *client.Client, to *diag.Diagnostics) bool {
	if api == nil && !to.HasError() {
		to.AddError("The configuration of the provider is not known yet", "Another resource makes a value of it. Apply this resource first, with -target.")
	}
	return to.HasError()
}

type limitOf func(timeouts.Value, context.Context, time.Duration) (time.Duration, diag.Diagnostics)

func (r *managed[M]) limited(ctx context.Context, model M, limit limitOf) (context.Context, context.CancelFunc) {
	duration := patience
	if r.actions.Timeouts != nil {
		duration, _ = limit(r.actions.Timeouts(model), ctx, patience)
	}
	return context.WithTimeout(ctx, duration)
}

// withoutUnknown returns the state with null for each value that a failed creation has not learned.
func withoutUnknown(raw tftypes.Value) tftypes.Value {
	known, err := tftypes.Transform(raw, func(_ *tftypes.AttributePath, value tftypes.Value) (tftypes.Value, error) {
		if value.IsKnown() {
			return value, nil
		}
		return tftypes.NewValue(value.Type(), nil), nil
	})
	if err != nil {
		return raw
	}
	return known
}
