// The text of site.toml with line numbers, colours and its faulty or changed lines marked. The page's own text area stays: it is what is sent.
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language'
import { toml } from '@codemirror/legacy-modes/mode/toml'
import { EditorState, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'

const look = EditorView.theme({
  '&': {
    border: '1px solid var(--line)',
    borderRadius: 'var(--radius)',
    background: 'var(--raised)',
    fontSize: '0.87rem',
  },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '1px' },
  '.cm-scroller': { fontFamily: 'ui-monospace, monospace', lineHeight: '1.55', maxHeight: '60vh' },
  // The last line can stand in the middle too.
  '.cm-content': { caretColor: 'currentColor', paddingBottom: '30vh' },
  '.cm-cursor': { borderLeftColor: 'currentColor' },
  '.cm-gutters': { background: 'none', color: 'var(--soft)', border: 'none' },
  '.cm-activeLine': { background: 'light-dark(#0000000a, #ffffff0d)' },
  '.faulty': { background: 'light-dark(#fbe3e1, #4a2320)', boxShadow: 'inset 3px 0 light-dark(#b3261e, #ff8a80)' },
  '.changed': { background: 'light-dark(#e2f3e6, #1d3a26)', boxShadow: 'inset 3px 0 light-dark(#1d6b34, #8fd19e)' },
})

const colours = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--soft)', fontStyle: 'italic' },
  { tag: tags.string, color: 'light-dark(#1d6b34, #8fd19e)' },
  { tag: [tags.number, tags.atom, tags.bool], color: 'light-dark(#8a4b00, #f0b76b)' },
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'light-dark(#1f4fa3, #9cc2ff)' },
])

/** In a shadow root, where the editor's styles are sheets made by script: the page's policy forbids inline styles. */
function mount(editor: HTMLElement, text: HTMLTextAreaElement): void {
  const host = document.createElement('div')
  host.className = 'settings-text'
  const root = host.attachShadow({ mode: 'open' })
  text.before(host)
  text.hidden = true
  const faulty = linesIn(editor.dataset.faults)
  const changed = linesIn(editor.dataset.changed)
  const view = new EditorView({ root, parent: root, state: stateOf(text, { faulty, changed }) })
  document.querySelector<HTMLLabelElement>('label[for=text]')?.addEventListener('click', () => view.focus())
  const goTo = (line: number, isFocused: boolean) => {
    if (line > view.state.doc.lines) return
    const at = view.state.doc.line(line).from
    if (!isFocused) return scrollWithin(view, at)
    view.focus()
    view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) })
  }
  for (const link of document.querySelectorAll<HTMLElement>('a[href="#text"][data-line]'))
    link.addEventListener('click', (event) => {
      event.preventDefault()
      goTo(Number(link.dataset.line), true)
    })
  const [marked] = [...faulty, ...changed]
  const [asked] = linesIn(editor.dataset.line)
  const first = marked ?? asked
  if (first !== undefined) goTo(first, marked === undefined)
}

/** The page itself stays at its head, which says what is marked. */
const scrollWithin = (view: EditorView, at: number): void =>
  view.requestMeasure({
    read: () => view.lineBlockAt(at).top - view.scrollDOM.clientHeight / 2,
    write: (top) => {
      view.scrollDOM.scrollTop = top
      // An editor that does not know yet that it is in view overlooks that it was scrolled, and would draw its first lines.
      requestAnimationFrame(() => view.requestMeasure())
    },
  })

interface Marked {
  faulty: readonly number[]
  changed: readonly number[]
}

const stateOf = (text: HTMLTextAreaElement, lines: Marked): EditorState =>
  EditorState.create({
    doc: text.value,
    extensions: [
      lineNumbers(),
      history(),
      highlightActiveLine(),
      keymap.of([...defaultKeymap, ...historyKeymap]),
      StreamLanguage.define(toml),
      syntaxHighlighting(colours),
      marked(lines),
      look,
      EditorState.readOnly.of(text.readOnly),
      EditorView.contentAttributes.of({ 'aria-label': 'site.toml', spellcheck: 'false', tabindex: '0' }),
      EditorView.updateListener.of(({ docChanged, state }) => {
        if (docChanged) text.value = state.doc.toString()
      }),
    ],
  })

/** Lines that the page's faults name, or that the user changed, stay marked as the text around them changes. */
const marked = (marks: Marked) =>
  StateField.define<DecorationSet>({
    create({ doc }) {
      const ranges = Object.entries(marks).flatMap(([name, lines]: [string, readonly number[]]) =>
        lines
          .filter((number) => number <= doc.lines)
          .map((number) => Decoration.line({ class: name }).range(doc.line(number).from)),
      )
      return Decoration.set(ranges, true)
    },
    update: (lines, { changes }) => lines.map(changes),
    provide: (field) => EditorView.decorations.from(field),
  })

/** In ascending order. */
const linesIn = (list = ''): number[] =>
  [...new Set(list.split(' ').map(Number))].filter((line) => line > 0).sort((one, other) => one - other)

const editor = document.querySelector<HTMLElement>('.editor')
const text = editor?.querySelector<HTMLTextAreaElement>('#text')
if (editor && text) mount(editor, text)
