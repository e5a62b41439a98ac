package runtime

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/landlord/terraform-provider-landlord/internal/api/supervisorapi"
	"github.com/landlord/terraform-provider-landlord/internal/attribute"
	"github.com/landlord/terraform-provider-landlord/internal/client"
	"github.com/landlord/terraform-provider-landlord/internal/crud"
	"github.com/oapi-codegen/nullable"
)

type backupSchedule struct {
	DeploymentID types.Int64  `tfsdk:"deployment_id"`
	Cron         types.String `tfsdk:"cron"`
	EveryHours   types.Int64  `tfsdk:"every_hours"`
	Keep         types.Int64  `tfsdk:"keep"`
	Status       types.String `tfsdk:"status"`
	CreatedAt    types.String `tfsdk:"created_at"`
}

// NewBackupSchedule is the resource landlord_backup_schedule.
var NewBackupSchedule = crud.New(crud.Actions[backupSchedule]{
	Name: "backup_schedule",
	Schema: func(context.Context) schema.Schema {
		return schema.Schema{
			MarkdownDescription: "When a deployment is backed up, and how many of these backups stay: at most one resource for each deployment. The backups stay when the schedule is destroyed.",
			Attributes: map[string]schema.Attribute{
				"deployment_id": attribute.Int("path.deployment_id", attribute.RequiredFixed),
				"cron":          attribute.String("BackupScheduleDto.cron", attribute.Optional, attribute.Trimmed(), stringvalidator.ExactlyOneOf(path.MatchRoot("cron"), path.MatchRoot("every_hours"))),
				"every_hours":   attribute.Int("BackupScheduleDto.every_hours", attribute.Optional, int64validator.AtLeast(1)),
				"keep":          attribute.Int("BackupScheduleDto.keep", attribute.Required, int64validator.AtLeast(1)),
				"status":        attribute.String("BackupScheduleView.status", attribute.Volatile),
				"created_at":    attribute.CreatedAt(),
			},
		}
	},
	ImportIDs: [][]string{{"deployment_id"}},
	Create:    putBackupSchedule,
	Read: func(ctx context.Context, api *client.Client, state *backupSchedule) error {
		answer, err := client.CallSupervisor(ctx, api, state.DeploymentID, supervisorapi.BackupSchedulesGet(state.DeploymentID.ValueInt64()))
		if err != nil {
			return err
		}
		state.take(answer.Body)
		return nil
	},
	Update: func(ctx context.Context, api *client.Client, plan *backupSchedule, _ backupSchedule) error {
		return putBackupSchedule(ctx, api, plan)
	},
	Delete: func(ctx context.Context, api *client.Client, state backupSchedule) error {
		_, err := client.CallSupervisor(ctx, api, state.DeploymentID, supervisorapi.BackupSchedulesDelete(state.DeploymentID.ValueInt64()))
		return err
	},
})

func putBackupSchedule(ctx context.Context, api *client.Client, plan *backupSchedule) error {
	body := supervisorapi.BackupScheduleDto{Keep: int(plan.Keep.ValueInt64()), Cron: attribute.Nullable(plan.Cron), EveryHours: nullable.NewNullNullable[int]()}
	if hours := attribute.KnownInt(plan.EveryHours); hours != nil {
		body.EveryHours = nullable.NewNullableWithValue(*hours)
	}
	answer, err := client.CallSupervisor(ctx, api, plan.DeploymentID, supervisorapi.BackupSchedulesPut(plan.DeploymentID.ValueInt64(), body))
	if err != nil {
		return err
	}
	plan.take(answer.Body)
	return nil
}

func (s *backupSchedule) take(view *supervisorapi.BackupScheduleView) {
	s.Cron = attribute.StringOf(view.Cron)
	s.EveryHours = types.Int64Null()
	if hours, err := view.EveryHours.Get(); err == nil {
		s.EveryHours = types.Int64Value(int64(hours))
	}
	s.Keep = types.Int64Value(int64(view.Keep))
	s.Status = types.StringValue(view.Status)
	s.CreatedAt = types.StringValue(view.CreatedAt)
}
