// Builds a panel: what it shows, of which items, and how. The result is seen while it is chosen. What the panel stores besides, of a kind or by
// an option that Studio does not know, stays.

import { useCallback, useMemo, useState } from 'react';
import { request } from '../api/client.js';
import { ColorChoice } from '../primitives/color-choice.js';
import { SideDrawer } from '../primitives/side-drawer.js';
import { useSettled } from '../primitives/use-settled.js';
import { useStudio } from '../studio-context.js';
import { useText } from '../text/use-text.js';
import { useInsightsText } from './dashboard-data.js';
import { isKnownType, type Options, optionNames, type Panel, type PanelType, panelTypes, textOf } from './panel.js';
import { Choice, TextPart } from './panel-parts.js';
import { Question } from './panel-question.js';
import { PanelView } from './panel-view.js';
import { usePanelRows } from './use-panel-rows.js';

export type PanelDraft = Omit<Panel, 'id'> & { readonly id: string | null };

interface PanelDrawerProps {
  /** Its key is null while it is new. */
  readonly panel: PanelDraft;
  readonly onSaved: (panel: Panel) => void;
  readonly onClose: () => void;
}

export function PanelDrawer({ panel, onSaved, onClose }: PanelDrawerProps) {
  const text = useInsightsText();
  const { cancel, unreachable } = useText();
  const { translate } = useStudio().boot;
  const [draft, setDraft] = useState(panel);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isFinished, setFinished] = useState(true);
  const [isChecked, setChecked] = useState(false);
  const [isSending, setSending] = useState(false);
  const change = (part: Partial<PanelDraft>) => setDraft((before) => ({ ...before, ...part }));
  const setOption = (part: Options) => setDraft((before) => ({ ...before, options: without({ ...before.options, ...part }) }));
  const finish = useCallback((isWhole: boolean) => {
    setFinished(isWhole);
    if (isWhole) setRefusal(null);
  }, []);
  const save = async () => {
    setChecked(true);
    if (!isFinished) return setRefusal(text.unfinishedFilter);
    setSending(true);
    setRefusal(null);
    try {
      const { id, ...body } = draft;
      const answer = await (id === null ? request<Panel>('POST', '/panels', { body }) : request<Panel>('PATCH', `/panels/${id}`, { body }));
      onSaved(answer.data);
    } catch (error) {
      setSending(false);
      setRefusal(error instanceof Error ? error.message : unreachable);
    }
  };
  const foot = (
    <>
      {refusal !== null && (
        <p className="refusal" role="alert">
          {refusal}
        </p>
      )}
      <button type="button" className="button" onClick={onClose}>
        {cancel}
      </button>
      <button type="button" className="button primary" disabled={isSending} onClick={() => void save()}>
        {panel.id === null ? text.addPanel : text.save}
      </button>
    </>
  );
  return (
    <SideDrawer
      title={panel.id === null ? text.newPanel : text.editPanel(translate(panel.name ?? text.untitled))}
      foot={foot}
      onClose={onClose}
    >
      <div className="stack panel-form">
        <Preview draft={draft} />
        <TextPart
          label={text.name}
          value={draft.name ?? ''}
          onChange={(name) => change({ name: name === '' ? null : name, show_header: name !== '' })}
        />
        <Choice
          label={text.kind}
          value={isKnownType(draft.type) ? draft.type : ''}
          choices={panelTypes.map((type) => [type, text.types[type]])}
          {...(isKnownType(draft.type) ? {} : { none: draft.type })}
          onChange={(type) => isKnownType(type) && change({ type, options: carried(draft, type) })}
        />
        {isKnownType(draft.type) && draft.type !== 'label' && (
          <Question type={draft.type} options={draft.options ?? {}} isChecked={isChecked} onChange={setOption} onFinished={finish} />
        )}
        {draft.type === 'label' && (
          <TextPart label={text.text} value={textOf(draft.options?.['text']) ?? ''} onChange={(value) => setOption({ text: value })} />
        )}
        {draft.type !== 'label' && draft.type !== 'list' && isKnownType(draft.type) && (
          <div className="panel-pair">
            <TextPart label={text.prefix} value={textOf(draft.options?.['prefix']) ?? ''} onChange={(prefix) => setOption({ prefix })} />
            <TextPart label={text.suffix} value={textOf(draft.options?.['suffix']) ?? ''} onChange={(suffix) => setOption({ suffix })} />
          </div>
        )}
        <ColorChoice label={text.color} noColor={text.noColor} color={draft.color} onChange={(color) => change({ color })} />
        <TextPart label={text.note} value={draft.note ?? ''} onChange={(note) => change({ note: note === '' ? null : note })} />
      </div>
    </SideDrawer>
  );
}

/** Empty options are not stored. */
const without = (options: Options): Options =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== '' && value !== undefined));

/** The same question under the names of another kind of panel. */
function carried({ type, options }: PanelDraft, next: PanelType): Options {
  if (!isKnownType(type)) return options ?? {};
  const [from, to] = [optionNames[type], optionNames[next]];
  const kept: Record<string, unknown> = { ...options };
  for (const part of ['field', 'fn', 'category', 'date'] as const) {
    const [old, name] = [from[part], to[part]];
    if (old !== undefined && name !== undefined && options?.[old] !== undefined) kept[name] = options[old];
  }
  return kept;
}

function Preview({ draft }: { readonly draft: PanelDraft }) {
  const text = useInsightsText();
  const { translate } = useStudio().boot;
  const { type, options } = draft;
  const asked = useSettled(useMemo(() => ({ type, options }), [type, options]));
  const panels = useMemo(() => [{ id: 'draft', ...asked }], [asked]);
  const stateOf = usePanelRows(panels);
  const state = stateOf('draft');
  const style = draft.color === null ? {} : ({ '--panel-color': draft.color } as React.CSSProperties);
  return (
    <section className="panel-preview panel" aria-label={text.preview} style={style}>
      <div className="panel-card">
        {draft.name !== null && (
          <header className="panel-head">
            <h3 className="cut">{translate(draft.name)}</h3>
          </header>
        )}
        <div className="panel-body">
          {state.kind === 'nothing asked' && draft.type !== 'label' && isKnownType(draft.type) ? (
            <p className="panel-quiet">{text.chooseMore}</p>
          ) : (
            <PanelView panel={{ ...draft, ...asked }} state={state} />
          )}
        </div>
      </div>
    </section>
  );
}
