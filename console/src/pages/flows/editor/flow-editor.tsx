import type { Schema } from '@payment-orchestrator/client';
import { useIsMutating } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useCan } from '../../../api/session';
import { useShops } from '../../../api/use-shops';
import { Page } from '../../../ui/page';
import { savingKey } from '../flow-queries';
import { Backtest } from '../insight/backtest';
import { PreviewPanel } from '../insight/preview-panel';
import { Simulator } from '../insight/simulator';
import { countOf } from '../insight/texts';
import { useBacktest } from '../insight/use-backtest';
import { useSimulation } from '../insight/use-simulation';
import { definitionForm } from '../model/definition-form';
import { definitionErrors } from '../model/field-errors';
import { withPath } from '../model/paths';
import { RolloutsView } from '../rollouts/rollouts-view';
import { VersionsView } from '../versions/versions-view';
import type { EditorSearch } from '../editor-search';
import { DefinitionFields } from './definition-fields';
import { EditorBar } from './editor-bar';
import { EditorTabs } from './editor-tabs';
import { ErrorsOfFields } from './errors-context';
import { JsonFields } from './json-fields';
import { LeaveDialog } from './leave-dialog';
import { useShopNames } from '../use-shop-names';
import { useDraft } from './use-draft';
import { useRuleFacts } from './use-rule-facts';
import { MissingRight } from '../../../ui/missing-right';

interface Props {
  flow: Schema<'Flow'>;
  /** The edited version. */
  shown: Schema<'FlowVersion'>;
  active: Schema<'FlowVersion'>;
  search: EditorSearch;
  /** Called with the version while it has unsaved changes, so that it stays open when another one becomes active. */
  onChanged: (version: number | undefined) => void;
}

/** The definition on one side. The simulator and the backtest on the other side follow it while the user types. */
export function FlowEditor({ flow, shown, active, search, onChanged }: Props) {
  const isSaving = useIsMutating({ mutationKey: savingKey(flow.id) }) > 0;
  const draft = useDraft({ flow, shown, isFrozen: isSaving });
  const changed = draft.isChanged ? shown.version : undefined;
  useEffect(() => onChanged(changed), [onChanged, changed]);
  const shops = useShops();
  const nameOf = useShopNames(flow);
  const mayTry = useCan('flows:simulate');
  const isDraft = draft.isChanged || shown.version !== flow.version || flow.rollout === null;
  const simulation = useSimulation({
    flowName: flow.name,
    definition: draft.definition,
    isDraft,
    isEnabled: mayTry,
  });
  const backtest = useBacktest(flow.id, draft.definition, mayTry);
  // the errors of a refused change are shown until the next edit
  const [refusal, setRefusal] = useState<{ error: unknown; text: string }>();
  const text = JSON.stringify(draft.definition);
  const errors = definitionErrors(refusal?.text === text ? refusal.error : undefined, simulation.live.error);
  const { tab = 'form' } = search;
  const hasPreview = tab === 'form' || tab === 'json';
  const factsOf = useRuleFacts(flow.id, active.definition);
  const fields = { form: draft.form, onChange: draft.change, shops, nameOf, factsOf, onTry: simulation.show };
  return (
    <Page title={flow.name} heading={<bdi>{flow.name}</bdi>} description={<Routed flow={flow} />}>
      <EditorBar
        flow={flow}
        shown={shown}
        active={active}
        draft={draft}
        nameOf={nameOf}
        onTry={simulation.show}
        onRefused={(error) => setRefusal({ error, text })}
        hasErrors={errors.size > 0}
      />
      <LeaveDialog isChanged={draft.isChanged} />
      <fieldset className={hasPreview ? 'flow-columns' : undefined} disabled={isSaving}>
        <div className="flow-editor">
          <EditorTabs flowId={flow.id} tab={tab} search={search} />
          <ErrorsOfFields errors={errors}>
            <div role="tabpanel" id={`panel-${tab}`} aria-labelledby={`tab-${tab}`}>
              {tab === 'form' && <DefinitionFields {...fields} />}
              {tab === 'json' && <JsonFields draft={draft} />}
              {tab === 'rollouts' && <RolloutsView flow={flow} search={search} />}
              {tab === 'versions' && (
                <VersionsView flow={flow} shown={shown} active={active} search={search} draft={draft} nameOf={nameOf} />
              )}
            </div>
          </ErrorsOfFields>
        </div>
        {hasPreview && mayTry && (
          <PreviewPanel simulation={simulation.live} backtest={backtest.live}>
            <Simulator
              {...simulation}
              shops={shops}
              nameOf={nameOf}
              definition={draft.definition}
              onDefinition={(path, to) => draft.change(definitionForm(withPath(draft.definition, path, to)))}
            />
            <Backtest {...backtest} nameOf={nameOf} />
          </PreviewPanel>
        )}
        {hasPreview && !mayTry && (
          <p className="notice">
            There is no simulator and no backtest. <MissingRight scope="flows:simulate" />
          </p>
        )}
      </fieldset>
    </Page>
  );
}

const Routed = ({ flow: { version, counter } }: Pick<Props, 'flow'>) => (
  <>
    Version {version} is active
    {counter !== null && `. The flow has routed ${countOf(counter)} ${counter === 1 ? 'payment' : 'payments'}`}.
  </>
);
