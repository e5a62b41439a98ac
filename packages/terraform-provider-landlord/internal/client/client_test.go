package client

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/landlord/terraform-provider-landlord/internal/api/mainapi"
)

// The first caller waits for a main API that does not answer. The second caller keeps its own deadline.
func TestACallerDoesNotWaitForTheQuestionOfAnotherOne(t *testing.T) {
	asked := make(chan struct{}, 2)
	ends := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		asked <- struct{}{}
		<-ends
	}))
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(ends) })
	client, err := New(t.Context(), Settings{URL: server.URL, APIKey: "secret", TenantID: 1})
	if err != nil {
		t.Fatal(err)
	}
	patient, stop := context.WithCancel(t.Context())
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		_, _ = client.Supervisor(patient, 1)
	}()
	<-asked

	hasty, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := client.Supervisor(hasty, 2); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the error is %v", err)
	}
	select {
	case <-finished:
		t.Error("the first caller has ended")
	default:
	}
	stop()
	<-finished
}

// A 204 is a success without a body.
func TestAnAnswerWithoutJSONIsAnError(t *testing.T) {
	api := clientOf(t, done)
	if _, err := api.Place(t.Context(), 1); err == nil || IsNotFound(err) || !strings.Contains(err.Error(), "the answer 204 is not the JSON that Landlord documents") {
		t.Errorf("the error is %v", err)
	}
	if _, err := Call(t.Context(), api.Main, mainapi.DivisionsDelete(1, 2, nil)); err != nil {
		t.Errorf("a deletion has an answer without JSON: %v", err)
	}
}

func TestFindNamesWhatIsMissing(t *testing.T) {
	idOf := func(id int64) int64 { return id }
	list := []int64{3, 4}
	if found, err := Find(&list, 4, idOf, "rule"); err != nil || found != 4 {
		t.Errorf("found %d, %v", found, err)
	}
	if _, err := Find(&list, 5, idOf, "rule"); !IsNotFound(err) || err.Error() != "there is no rule 5" {
		t.Errorf("the error is %v", err)
	}
	if _, err := Find(nil, 5, idOf, "rule"); err == nil || IsNotFound(err) {
		t.Errorf("an answer without a list is no sign that the item is deleted: %v", err)
	}
}
