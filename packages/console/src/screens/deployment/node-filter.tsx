import { useNavigate } from '@tanstack/react-router';
import { SelectField, type Choice } from '../../ui/form/field.js';
import { useLive } from './use-deployment.js';

/** The nodes of the deployment, for fields. */
export function useNodeChoices(): readonly Choice[] {
  const { data } = useLive('runtime.get', {});
  return (data?.nodes ?? []).map(({ id, name }) => ({ value: String(id), label: name }));
}

/** Chooses the node of a list, by the address. */
export function NodeFilter({ node }: { node: number | undefined }) {
  const choices = useNodeChoices();
  const navigate = useNavigate();
  const choose = (chosen: string): void =>
    void navigate({ to: '.', search: chosen === '' ? {} : { node: Number(chosen) }, resetScroll: false });
  return (
    <SelectField
      label="Node"
      name="node"
      value={String(node ?? '')}
      onChange={choose}
      choices={[{ value: '', label: 'All' }, ...choices]}
    />
  );
}
