/** An HTML page with a plan drawn by pev2. It contains all its assets. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

export interface PlanPage {
  readonly title: string
  /** The JSON of EXPLAIN. */
  readonly plan: unknown
  /** The statement that was explained. */
  readonly query: string
}

/** pev2, a development dependency, is not installed. The message tells how to install it. */
export class MissingPev2 extends Error {
  override readonly name = 'MissingPev2'
}

/**
 * @throws MissingPev2 if the package is not installed
 * @see https://github.com/dalibo/pev2
 */
export function planPage({ title, plan, query }: PlanPage): string {
  const { styles, scripts } = readAssets()
  const drawn = { planSource: JSON.stringify(plan, undefined, 2), planQuery: query }
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; font-src data:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
${styles.map(style => `<style>${style.replaceAll(/<\/(style)/gi, '<\\/$1')}</style>`).join('\n')}
</head>
<body>
<div id="plan" class="d-flex flex-column vh-100"></div>
${scripts.map(script => `<script>${inScript(script)}</script>`).join('\n')}
<script>
const drawn = ${inJson(drawn)}
Vue.createApp({ render: () => Vue.h(pev2.Plan, drawn) }).mount('#plan')
</script>
</body>
</html>
`
}

/** Vue without its compiler, which needs `eval`: the page uses a render function. */
function readAssets(): { readonly styles: string[]; readonly scripts: string[] } {
  const ownRequire = createRequire(import.meta.url)
  let pev2: string
  try {
    pev2 = ownRequire.resolve('pev2')
  } catch (cause) {
    throw new MissingPev2(
      'pev2, which draws plans, is a development dependency and is not installed: `npm ci --include=dev` installs it.',
      { cause },
    )
  }
  // The dependencies of pev2, wherever npm installed them.
  const pev2Require = createRequire(pev2)
  return {
    styles: [
      read(pev2Require.resolve('bootstrap/dist/css/bootstrap.min.css')),
      read(ownRequire.resolve('pev2/dist/pev2.css')),
    ],
    scripts: [read(pev2Require.resolve('vue/dist/vue.runtime.global.prod.js')), read(pev2)],
  }
}

/** Removes the source map comment, which developer tools would request. */
function read(path: string): string {
  return readFileSync(path, 'utf8').replaceAll(/^(?:\/\/|\/\*)# sourceMappingURL=.*$/gm, '')
}

/** In strings and regular expressions of a script, a backslash before these has no effect. */
function inScript(script: string): string {
  return script.replaceAll(/<\/(script)/gi, '<\\/$1').replaceAll('<!--', '<\\!--')
}

function inJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
