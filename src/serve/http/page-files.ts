/**
 * The files of the page for people: its HTML, the scripts and styles of the folder `page`, and the kit. They need no
 * key: the page asks for one and sends it with each request.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chooseLanguage, type Language } from './negotiation.ts'
import { createBytes } from './schema-routes.ts'
import { inAll } from '../../texts/in-all.ts'

/** One for each language: browsers tell theirs by `Accept-Language`. */
const [TITLES, NO_SCRIPT] = [inAll('pageTitle'), inAll('needsJavaScript')]

const SRC = fileURLToPath(new URL('../..', import.meta.url))
const PAGE = 'page'

function readPageFiles() {
  const pageFiles = readFiles(PAGE, /\.(?:js|css)$/)
  const files = [...pageFiles, ...readFiles('kit', /\.js$/), templates()]
  const hash = createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 16)
  const folder = `/assets/${hash}`
  const names = pageFiles.map(([name]) => name)
  return {
    /** Scripts and styles by path. All paths change with any of the files, so that one version never imports another. */
    assets: new Map(files.map(([name, text]) => [`${folder}/${name}`, text])),
    html: (language: Language): string => htmlOf(language, folder, names),
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
  const text = `export const TEMPLATES = ${JSON.stringify(Object.fromEntries(files))}`
  return ['kit/templates.js', text]
}

/** @param names of files, which have no special characters */
function htmlOf(language: Language, folder: string, names: readonly string[]): string {
  const modules = names.filter(name => name.endsWith('.js'))
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<title>${TITLES[language]}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${folder}/${PAGE}/style.css">
${modules.map(name => `<link rel="modulepreload" href="${folder}/${name}">`).join('\n')}
<script type="module" src="${folder}/${PAGE}/main.js"></script>
</head>
<body><noscript>${NO_SCRIPT[language]}</noscript></body>
</html>
`
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
  const htmlFor = (language: Language) =>
    createBytes(html(language), contentType('html'), HTML_HEAD)
  const pages = { ru: htmlFor('ru'), en: htmlFor('en') }
  const routes = new Map<string, PageRoute>([
    ['/', request => pages[chooseLanguage(request.headers.acceptLanguage)](request)],
  ])
  for (const [path, text] of assets) {
    const type = contentType(path.endsWith('.css') ? 'css' : 'javascript')
    routes.set(path, createBytes(text, type, ASSET_HEAD))
  }
  return routes
}

function contentType(subtype: string): string {
  return `text/${subtype}; charset=utf-8`
}
