/** A dialog with scripts that load the shown report into other tools. They read the key from the environment. */
import { urlOf } from './api.ts'
import type { ReportDescription } from './api.ts'
import { h } from './dom.ts'
import type { Shown } from './downloads.ts'
import type { Page } from './page.ts'
import { problemOf, problemView } from './problem.ts'
import { OWN_CURRENCY, TEXTS } from './texts.ts'

type Texts = Readonly<Record<string, string>>

interface Kit {
  readonly kit: (tool: string, template: string, source: object) => string
  readonly KIT: Readonly<Record<string, { readonly title: string; readonly template: string }>>
  readonly TEMPLATES: Texts
  /** Of the page's language, by the English ones. */
  readonly KIT_TEXTS: Texts
}

const BUTTON = { type: 'button' } as const

/** The dialog and its button. */
export function snippets(schema: ReportDescription, shown: () => Shown, page: Page): HTMLElement {
  const close = h('button', { ...BUTTON, className: 'quiet', onclick: hide }, TEXTS.close)
  const head = h('div', { className: 'heading' }, h('h2', {}, TEXTS.copyAs), close)
  const body = h('div')
  const dialog = h('dialog', { aria: { label: TEXTS.copyAs } }, head, body)

  function hide(): void {
    dialog.close()
  }

  function open(): void {
    body.replaceChildren(h('p', { className: 'muted' }, TEXTS.loading))
    if (!dialog.open) dialog.showModal()
    loadKit().then(
      kit => showPiece(chooser(kit, schema, shown())),
      (error: unknown) => body.replaceChildren(problemView(problemOf(error), open, page.signal)),
    )
  }

  function showPiece(element: HTMLElement): void {
    body.replaceChildren(element)
    element.querySelector('select')?.focus()
  }

  const aria = { haspopup: 'dialog' }
  const button = h('button', { ...BUTTON, aria, onclick: open }, TEXTS.copyAs)
  return h('div', {}, button, dialog)
}

/** Only now, as the scripts are as large as the rest of the page. */
async function loadKit(): Promise<Kit> {
  // why: a variable, since the kit is compiled with the code for Node
  const names: readonly string[] = ['kit', 'tools', 'templates', document.documentElement.lang]
  const modules = await Promise.all(names.map(name => import(`../kit/${name}.js`)))
  return Object.assign({}, ...modules) as Kit
}

function chooser(
  { kit, KIT, TEMPLATES, KIT_TEXTS }: Kit,
  schema: object,
  shown: Shown,
): HTMLElement {
  const language = document.documentElement.lang
  const tools = Object.entries(KIT).map(([value, { title }]) =>
    h('option', { value }, KIT_TEXTS[title] ?? title),
  )
  const select = h('select', { aria: { label: TEXTS.tool }, onchange: write }, ...tools)
  const script = h('pre', { tabIndex: 0 })
  const message = h('span', { className: 'muted', aria: { role: 'status' } })
  const copy = h('button', { type: 'button', onclick: () => void copyScript() }, TEXTS.copy)

  function write(): void {
    const template = TEMPLATES[KIT[select.value]!.template]!
    const product = { language, texts: KIT_TEXTS, currency: OWN_CURRENCY }
    const source = { baseUrl: urlOf(''), reports: [schema], ...product, ...shown }
    script.textContent = kit(select.value, template, source)
    script.scrollTo(0, 0)
    message.textContent = ''
  }

  async function copyScript(): Promise<void> {
    try {
      await navigator.clipboard.writeText(script.textContent)
      message.textContent = TEXTS.copied
    } catch {
      // why: browsers have no clipboard without https
      getSelection()?.selectAllChildren(script)
      message.textContent = TEXTS.selected
    }
  }

  write()
  return h(
    'div',
    {},
    h('div', { className: 'actions' }, select, copy, message),
    script,
    h('p', { className: 'muted small' }, TEXTS.keySeparately),
  )
}
