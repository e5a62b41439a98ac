package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/hashicorp/terraform-plugin-log/tflog"
	"github.com/landlord/terraform-provider-landlord/internal/api/mainapi"
)

// pollSeconds is how long the server waits for the end of an operation before it answers.
const pollSeconds = 5

// WaitFor returns when the operation has succeeded. The log shows each step. The deadline of the context ends the wait, not the operation.
func (c *Client) WaitFor(ctx context.Context, operationID int64) error {
	seconds := pollSeconds
	shown := ""
	for {
		answer, err := c.Main.OperationsGetWithResponse(ctx, c.TenantID, operationID, &mainapi.OperationsGetParams{Wait: &seconds})
		if err != nil {
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return fmt.Errorf("operation %d has not ended in time, and goes on: %w", operationID, err)
			}
			return err
		}
		operation := answer.JSON200
		if step := currentStep(operation); step != shown {
			shown = step
			tflog.Info(ctx, "operation", map[string]any{"id": operationID, "type": operation.Type, "step": step, "progress": operation.Progress})
		}
		switch operation.Status {
		case "succeeded":
			return nil
		case "failed", "cancelled":
			reason, _ := operation.Reason.Get()
			return &OperationFailed{fmt.Sprintf("operation %d (%s) has %s: %s", operationID, operation.Type, operation.Status, reason)}
		}
	}
}

// OperationFailed is the error of an operation that has ended without success.
type OperationFailed struct{ text string }

func (e *OperationFailed) Error() string { return e.text }

// HasFailed is true if an operation has ended without success. After a timeout nobody knows yet.
func HasFailed(err error) bool {
	var failed *OperationFailed
	return errors.As(err, &failed)
}

func currentStep(operation *mainapi.OperationView) string {
	if len(operation.Steps) == 0 {
		return operation.Status
	}
	last := operation.Steps[len(operation.Steps)-1]
	return last.Name + " " + last.Status
}

// WaitForHeader waits for the operation that the answer names. An answer without an operation needs no wait.
func (c *Client) WaitForHeader(ctx context.Context, response *http.Response) error {
	id, err := strconv.ParseInt(response.Header.Get("ld-operation"), 10, 64)
	if err != nil {
		return nil
	}
	return c.WaitFor(ctx, id)
}
