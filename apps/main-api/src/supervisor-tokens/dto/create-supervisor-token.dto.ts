import { Example, IsText } from '@libs/http';

/** The Supervisor that a page wants to call. */
@Example<CreateSupervisorTokenDto>({ supervisor_url: 'http://localhost:4000' })
export class CreateSupervisorTokenDto {
  @IsText(2000, 'The `supervisor_url` of a deployment. Only its scheme, host and port count.')
  supervisor_url: string;
}
