import { CodeRequest } from '../../request/code-request.js';
import { RequestForm } from '../../request/request-form.js';
import { Section } from '../../ui/section.js';

interface DeleteLevelProps {
  tenantId: number;
  ids: Readonly<Record<string, number>>;
  level: 'division' | 'environment';
  name: string;
  isProtected: boolean;
  onDone?: () => unknown;
}

/** Deletes a division or an environment. A protected one needs the code of a mail. */
export const DeleteLevel = ({ tenantId, ids, level, name, isProtected, onDone }: DeleteLevelProps) => (
  <Section title={`Delete the ${level} ${name}`}>
    <p>Everything inside is deleted, too. Nobody can undo this.</p>
    {isProtected && <CodeRequest {...{ tenantId, ids }} action={`delete_${level}`} />}
    <RequestForm
      {...{ tenantId, ids, scope: ids }}
      request={level === 'division' ? 'divisions.delete' : 'environments.delete'}
      {...(!isProtected && { fields: [] })}
      own={{ code: { label: 'Code from the mail', hint: `The ${level} is protected.`, isRequired: true } }}
      kind="danger"
      question={`Delete the ${level} ${name} with everything in it?`}
      action={`Delete ${name}`}
      {...(onDone && { onDone })}
    />
  </Section>
);
