import { Section } from '../../../ui/section.js';
import { AddRule } from './add-rule.js';
import { RulesTable } from './rules-table.js';

/** From which addresses clients may connect. */
export const AccessScreen = () => (
  <>
    <Section title="Access rules">
      <RulesTable />
    </Section>
    <Section title="Add a rule">
      <AddRule />
    </Section>
  </>
);
