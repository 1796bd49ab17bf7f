/** The page for people and its files, which need no key: the page asks for one and sends it with each request. */
import { readPageFiles, SECURITY_HEAD } from '../explorer/files.ts'
import type { ApiMiddleware } from './active-requests.ts'
import { codingsOf, sendCompressed } from './compressed-bytes.ts'
import { chooseLanguage } from './negotiation.ts'
import { setAll } from './response-head.ts'

/** A year, as the path changes with the bytes. */
const FOREVER = 'public, max-age=31536000, immutable'

/** @param path of the page @throws Error if the build lacks its files */
export function explorer(path: string, onlyRead: ApiMiddleware): ApiMiddleware {
  const { assets, html } = readPageFiles(path)
  const sendPage: ApiMiddleware = ctx => {
    setAll(ctx.res, SECURITY_HEAD.page)
    ctx.set('Vary', 'Accept-Encoding, Accept-Language')
    const { codings, contentType } = pages[chooseLanguage(ctx.get('Accept-Language'))]
    return sendCompressed(ctx, codings, { contentType, cacheControl: 'no-cache' })
  }
  const pages = { ru: withCodings(html.ru), en: withCodings(html.en) }
  const files = new Map([[path, sendPage]])
  for (const [assetPath, file] of assets) {
    const { codings, contentType } = withCodings(file)
    files.set(assetPath, ctx => {
      setAll(ctx.res, SECURITY_HEAD.asset)
      ctx.set('Vary', 'Accept-Encoding')
      return sendCompressed(ctx, codings, { contentType, cacheControl: FOREVER })
    })
  }
  return async (ctx, next) => {
    const send = files.get(ctx.path)
    if (send === undefined) return next()
    ctx.state.route = 'page'
    await onlyRead(ctx, async () => send(ctx, next))
  }
}

function withCodings({
  text,
  contentType,
}: {
  readonly text: string
  readonly contentType: string
}) {
  return { codings: codingsOf(text), contentType }
}
