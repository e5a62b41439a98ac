package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
	"github.com/landlord/terraform-provider-landlord/internal/api/mainapi"
)

const (
	// longestPoll is how many seconds the server waits for the end of an operation before it answers. The first question is shorter, so that
	// the log shows the first steps of the operation.
	firstPoll, longestPoll = 1, 5
	// readAgainAfter is the time between reads of an operation while the server does not answer.
	readAgainAfter = time.Second
)

// WaitFor returns when the operation has succeeded. The log shows each step. The deadline of the context ends the wait, not the operation.
// A server that starts again does not end the wait: Terraform replaces a resource whose creation has an error.
func (c *Client) WaitFor(ctx context.Context, operationID int64) error {
	shown := "not read yet"
	for seconds := firstPoll; ; seconds = min(seconds+1, longestPoll) {
		answer, err := Call(ctx, c.Main, mainapi.OperationsGet(c.TenantID, operationID, &seconds))
		if err != nil {
			isPaused := isTransient(err) && pause(ctx, readAgainAfter) == nil
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return fmt.Errorf("operation %d (%s) has not ended in time, and goes on: %w", operationID, shown, err)
			}
			if !isPaused {
				return err
			}
			tflog.Warn(ctx, "the operation cannot be read", map[string]any{"id": operationID, "error": err.Error()})
			continue
		}
		operation := answer.Body
		if step := currentStep(operation); step != shown {
			shown = step
			tflog.Info(ctx, "operation", map[string]any{"id": operationID, "type": operation.Type, "step": step, "progress": operation.Progress})
		}
		switch operation.Status {
		case "succeeded":
			return nil
		case "failed", "cancelled":
			reason, _ := operation.Reason.Get()
			return &OperationFailed{fmt.Sprintf("operation %d (%s, %s) has %s: %s", operationID, operation.Type, shown, operation.Status, reason)}
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
func (c *Client) WaitForHeader(ctx context.Context, answer http.Header) error {
	id, err := strconv.ParseInt(answer.Get("ld-operation"), 10, 64)
	if err != nil {
		return nil
	}
	return c.WaitFor(ctx, id)
}
