import type { InstructionStepView, InstructionsView } from '../dto/instructions.view.js';
import type { AttachmentState, ServiceAttachmentView } from '../dto/service-attachment.view.js';
import { letInStep } from './let-in-step.js';

/** The location of the attachment, as consumers must type it. */
export interface AttachmentPlace {
  deploymentUrl: string;
  region: string;
  /** Network of the translated addresses of connections. */
  cidr: string | null;
}

/** Returns the steps of a consumer, with one text for each state (C-22.3). */
export function serviceAttachmentInstructions(
  attachment: ServiceAttachmentView,
  place: AttachmentPlace,
): InstructionsView {
  const { summary, steps } = TEXTS[attachment.state](attachment, place);
  const values: Record<string, string> = {
    region: place.region,
    ...(attachment.service_attachment_uri !== null && { service_attachment_uri: attachment.service_attachment_uri }),
  };
  return { status: attachment.state, summary, steps, values };
}

interface Text {
  summary: string;
  steps: InstructionStepView[];
}

const TEXTS: Record<AttachmentState, (attachment: ServiceAttachmentView, place: AttachmentPlace) => Text> = {
  pending: () => ({
    summary: 'Google Cloud makes the attachment. Read this once more in a minute: consumers need its address.',
    steps: [],
  }),
  active: (attachment, place) => ({
    summary: `The attachment is there. ${whoMay(attachment)}`,
    steps: [reserve(place), forward(attachment, place), watch(attachment, place), ...letIn(attachment, place)],
  }),
  closed: (_attachment, { region }) => ({
    summary: 'The attachment is being removed or gone: endpoints that were connected to it reach nothing.',
    steps: [
      {
        title: 'Remove your endpoint',
        description: 'In the project of each consumer: the forwarding rule first, then its address.',
        command: `gcloud compute forwarding-rules delete landlord-endpoint --project <your project> --region ${region}
gcloud compute addresses delete landlord-endpoint --project <your project> --region ${region}`,
      },
    ],
  }),
};

function whoMay({ consumer_accept_lists, connection_preference }: ServiceAttachmentView): string {
  const projects = consumer_accept_lists.length === 0 ? 'any project' : consumer_accept_lists.join(', ');
  return connection_preference === 'accept_automatic'
    ? `Connections of ${projects} are accepted at once.`
    : `Connections of ${projects} are accepted by the operator of this cloud.`;
}

const reserve = ({ region }: AttachmentPlace): InstructionStepView => ({
  title: 'Reserve an address',
  description: `In your project and network, an internal address in region ${region}: your clients connect to it.`,
  command: `gcloud compute addresses create landlord-endpoint --project <your project> --region ${region} --subnet <your subnet>`,
});

const forward = (
  { service_attachment_uri }: ServiceAttachmentView,
  { region }: AttachmentPlace,
): InstructionStepView => ({
  title: 'Make the endpoint',
  description:
    'A forwarding rule leads the address to the attachment. Its status is PENDING until the connection is accepted.',
  command: `gcloud compute forwarding-rules create landlord-endpoint --project <your project> --region ${region} \\
  --network <your network> --address landlord-endpoint \\
  --target-service-attachment ${service_attachment_uri ?? '<service_attachment_uri>'}`,
});

const watch = ({ id }: ServiceAttachmentView, { deploymentUrl }: AttachmentPlace): InstructionStepView => ({
  title: 'See that it is accepted',
  description:
    'The connection is listed with its status; `accepted` means that clients reach the deployment by your address.',
  command: `curl "${deploymentUrl}/network/gcp/psc/${id}/connections" -H "ld-api-key: $KEY"`,
});

/** Without the PROXY protocol the nodes see only addresses of the operator's network. */
function letIn({ enable_proxy_protocol }: ServiceAttachmentView, { deploymentUrl, cidr }: AttachmentPlace) {
  if (!enable_proxy_protocol && cidr !== null) return [letInStep(deploymentUrl, cidr)];
  return [letInStep(deploymentUrl, '<network of your clients>')];
}
