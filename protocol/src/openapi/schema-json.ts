/** JSON values of an OpenAPI document. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [name: string]: Json | undefined }
export type JsonObject = { readonly [name: string]: Json | undefined }

/** A reference to a component. */
export function refer(kind: 'schemas' | 'responses' | 'parameters' | 'headers', name: string): JsonObject {
  return {
    $ref: `#/components/${kind}/${name}`,
  }
}

/** Converts `get-account` to `getAccount`. */
export function camelCase(name: string) {
  return name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
}

/** Converts `get-account` to `GetAccount` and `accountStatus` to `AccountStatus`. */
export function pascalCase(name: string) {
  return name.replace(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase())
}

/** A copy of the object without undefined members. */
export function compact(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))
}
