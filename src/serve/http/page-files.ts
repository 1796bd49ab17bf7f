/**
 * The files of the page for people: its HTML, the scripts and styles of the folder `page`, and the kit. They need no
 * key: the page asks for one and sends it with each request.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Product } from '../../definitions/product.ts'
import { onceFor } from '../formats/format.ts'
import { chooseLanguage } from './negotiation.ts'
import { createBytes } from './schema-routes.ts'
import type { Request } from './request.ts'
import { formatsIn, filled, TEXTS, textsIn } from '../../texts/texts.ts'

const SRC = fileURLToPath(new URL('../..', import.meta.url))
const PAGE = 'page'

function readPageFiles() {
  const pageFiles = readFiles(PAGE, /\.(?:js|css)$/)
  const texts = Object.keys(TEXTS).flatMap(languageFiles)
  const scripts = [...readFiles('kit', /\.js$/), ...readFiles('model', /^currency\.js$/)]
  const files = [...pageFiles, ...texts, ...scripts, templates()]
  const hash = createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 16)
  const folder = `/assets/${hash}`
  const names = pageFiles.map(([name]) => name)
  return {
    /** Scripts and styles by path. All paths change with any of the files, so that one version never imports another. */
    assets: new Map(files.map(([name, text]) => [`${folder}/${name}`, text])),
    html: (product: Product, language: string): string => htmlOf(product, language, folder, names),
  }
}

type NamedText = readonly [string, string]

/**
 * Text by path below `src`: the assets have the same folders, so that the page imports the kit by a relative path.
 * The kit is loaded on demand.
 */
function readFiles(folder: string, wanted: RegExp): NamedText[] {
  const names = readdirSync(join(SRC, folder)).filter(name => wanted.test(name))
  return names.toSorted().map(name => {
    const path = `${folder}/${name}`
    return [path, readFileSync(join(SRC, path), 'utf8')] as const
  })
}

/** A module with the kit's templates by name. */
function templates(): NamedText {
  const files = readFiles('kit', /\.(?!js$|map$)\w+$/).map(([path, text]) => [basename(path), text])
  return ['kit/templates.js', moduleOf({ TEMPLATES: Object.fromEntries(files) })]
}

/** Modules with what the page and the kit have of a language. */
function languageFiles(language: string): NamedText[] {
  const { page, kit } = textsIn(language)
  return [
    [nameOf(language), moduleOf({ PAGE: page, FORMATS: formatsIn(language) })],
    [`kit/${language}.js`, moduleOf({ KIT_TEXTS: kit })],
  ]
}

function moduleOf(parts: object): string {
  const lines = Object.entries(parts).map(
    ([name, part]) => `export const ${name} = ${JSON.stringify(part)}\n`,
  )
  return lines.join('')
}

function nameOf(language: string): string {
  return `texts/${language}.js`
}

/** @param names of files, which have no special characters */
function htmlOf(
  product: Product,
  language: string,
  folder: string,
  names: readonly string[],
): string {
  const { title, needsJavaScript } = textsIn(language).page
  const atKeys = filled('{atKeys}', language, product)
  const texts = [...new Set([language, product.language])].map(nameOf)
  const modules = [...names.filter(name => name.endsWith('.js')), ...texts]
  return `<!doctype html>
<html lang="${language}" data-language="${product.language}" data-at-keys="${escaped(atKeys)}" data-currency="${escaped(JSON.stringify(product.currency))}" data-page="${escaped(JSON.stringify(product.page))}">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${folder}/${PAGE}/style.css">
${modules.map(name => `<link rel="modulepreload" href="${folder}/${name}">`).join('\n')}
<script type="module" src="${folder}/${PAGE}/main.js"></script>
</head>
<body><noscript>${needsJavaScript}</noscript></body>
</html>
`
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`)
}

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** Alternating names and values, of documents. The page holds an API key, so nothing else may run in it. */
const PAGE_HEAD = [
  'Content-Security-Policy',
  CONTENT_SECURITY_POLICY,
  'Cross-Origin-Opener-Policy',
  'same-origin',
  'Permissions-Policy',
  'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'Referrer-Policy',
  'no-referrer',
  'X-Frame-Options',
  'DENY',
]

type PageRoute = ReturnType<typeof createBytes>

/** A year, as the path changes with the bytes. */
const FOREVER = 'public, max-age=31536000, immutable'
const ASSET_HEAD = ['Vary', 'Accept-Encoding', 'Cache-Control', FOREVER]
const HTML_HEAD = [
  ...PAGE_HEAD,
  'Vary',
  'Accept-Encoding, Accept-Language',
  'Cache-Control',
  'no-cache',
]

/** The routes of the page by path. @throws Error if the build lacks its files */
export function createPageRoutes(): ReadonlyMap<string, PageRoute> {
  const { assets, html } = readPageFiles()
  /** One for each language: browsers tell theirs by `Accept-Language`. */
  const htmlFor = onceFor((product: Product, language: string) =>
    createBytes(html(product, language), contentType('html'), HTML_HEAD),
  )
  const home = (request: Request) => {
    const { product } = request
    return htmlFor(product, chooseLanguage(request.headers.acceptLanguage, product))(request)
  }
  const routes = new Map<string, PageRoute>([['/', home]])
  for (const [path, text] of assets) {
    const type = contentType(path.endsWith('.css') ? 'css' : 'javascript')
    routes.set(path, createBytes(text, type, ASSET_HEAD))
  }
  return routes
}

function contentType(subtype: string): string {
  return `text/${subtype}; charset=utf-8`
}
