package crud

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// ImportState sets the attributes that the id of the import names. The read after it fills the others.
func (r *managed[M]) ImportState(ctx context.Context, request resource.ImportStateRequest, response *resource.ImportStateResponse) {
	values := strings.Split(request.ID, "/")
	for _, names := range r.actions.ImportIDs {
		if len(names) != len(values) {
			continue
		}
		for index, name := range names {
			attribute := response.State.Schema.GetAttributes()[name]
			if attribute.GetType().Equal(types.StringType) {
				response.Diagnostics.Append(response.State.SetAttribute(ctx, path.Root(name), values[index])...)
				continue
			}
			id, err := strconv.ParseInt(values[index], 10, 64)
			if err != nil {
				response.Diagnostics.AddError("The id of the import is wrong", fmt.Sprintf("%s must be a whole number, and is %q.", name, values[index]))
				return
			}
			response.Diagnostics.Append(response.State.SetAttribute(ctx, path.Root(name), id)...)
		}
		return
	}
	forms := make([]string, len(r.actions.ImportIDs))
	for index, names := range r.actions.ImportIDs {
		forms[index] = strings.Join(names, "/")
	}
	response.Diagnostics.AddError("The id of the import is wrong", "Give: "+strings.Join(forms, ", or "))
}
