package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// Problem is a refusal of the server.
type Problem struct {
	Status      int          `json:"status"`
	Code        string       `json:"code"`
	Title       string       `json:"title"`
	Detail      string       `json:"detail"`
	Instance    string       `json:"instance"`
	Retryable   bool         `json:"retryable"`
	Outcome     string       `json:"outcome"`
	FieldIssues []FieldIssue `json:"field_issues"`

	retryAfter time.Duration
}

// FieldIssue is a fault of one member of a request.
type FieldIssue struct {
	// Path is a JSON pointer.
	Path   string `json:"path"`
	Code   string `json:"code"`
	Reason string `json:"reason"`
}

func (p *Problem) Error() string {
	return fmt.Sprintf("%s (%s, request %s)", p.Detail, p.Code, p.Instance)
}

// problemOf returns nil for a body that is no problem of Landlord.
func problemOf(body []byte) *Problem {
	var problem Problem
	if json.Unmarshal(body, &problem) != nil || problem.Code == "" || problem.Status == 0 {
		return nil
	}
	return &problem
}

// IsRefused is true if the server has refused the request, and so has changed nothing.
func IsRefused(err error) bool {
	var problem *Problem
	return errors.As(err, &problem) && problem.hadNoEffect()
}

// IsOfRequest is true if the server refuses the values of the request. It is false if the server refuses the key, if the resource does not
// exist, or if the server has failed: then nothing is known of the values.
func (p *Problem) IsOfRequest() bool {
	switch p.Status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound:
		return false
	}
	return p.Status < http.StatusInternalServerError
}

// hadNoEffect is false for a 5xx other than 503, after which nobody knows, and for a 503 after which the server itself does not know.
func (p *Problem) hadNoEffect() bool {
	return p.Status < http.StatusInternalServerError || p.Status == http.StatusServiceUnavailable && p.Outcome != "unknown"
}

// notFound is the error for a record that no list contains.
type notFound struct{ what string }

func (e *notFound) Error() string { return e.what }

// NotFound returns an error that IsNotFound recognizes.
func NotFound(format string, values ...any) error {
	return &notFound{fmt.Sprintf(format, values...)}
}

// tenantNotFoundCode is the refusal of a wrong tenant_id, and of a key of another tenant.
const tenantNotFoundCode = "tenant_not_found"

// IsNotFound is true if the resource does not exist, or if the key may not know that the resource exists. A tenant that the key does not
// see says nothing about the resource: otherwise a wrong tenant_id would remove everything from the state.
func IsNotFound(err error) bool {
	var problem *Problem
	var missing *notFound
	return errors.As(err, &missing) || errors.As(err, &problem) && problem.Status == http.StatusNotFound && problem.Code != tenantNotFoundCode
}
