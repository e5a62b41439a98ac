import { GCP_FORMATS } from '@libs/domain';
import { ClearableText, Example, IsFlag, IsName, IsOneOf, IsSpelledList, IsText, Optional } from '@libs/http';

export const CONNECTION_PREFERENCES = ['accept_manual', 'accept_automatic'] as const;
export type ConnectionPreference = (typeof CONNECTION_PREFERENCES)[number];
const MOST_PROJECTS = 100;

/** A new service attachment on Google Cloud, for Private Service Connect. */
@Example<CreateServiceAttachmentDto>({
  name: 'to the shop',
  connection_preference: 'accept_manual',
  consumer_accept_lists: ['harbour-shop'],
})
export class CreateServiceAttachmentDto {
  @IsName('Unique among the service attachments of the deployment, in any case of letters.')
  name: string;

  @Optional()
  @IsOneOf(CONNECTION_PREFERENCES, 'Whether you accept each connection. Default `accept_manual`.')
  connection_preference?: ConnectionPreference;

  @Optional()
  @IsSpelledList(GCP_FORMATS.project_id, MOST_PROJECTS, 'Projects that may connect; none: any project.')
  consumer_accept_lists?: string[];

  @Optional()
  @IsFlag('True: each connection starts with the address of the client (PROXY protocol). Default false.')
  enable_proxy_protocol?: boolean;

  @ClearableText()
  @IsText(500, 'Anything you want to remember.')
  remarks?: string | null;
}
