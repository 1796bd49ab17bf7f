// `svodka serve` with other limits than the constants: node serve-with-limits.js '{"keyTimeoutMs":10000}'
import { serve } from '../../src/serve/start/serve.ts'

process.exit(await serve(process.env, JSON.parse(process.argv[2] ?? '{}')))
