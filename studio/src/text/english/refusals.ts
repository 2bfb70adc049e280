// What the service refuses, said with the titles that people know. The names are those of the service's refusals (`extensions.refusal`), or its
// codes with the kind of the failed rule. Loaded with the first refusal.

/** What a refusal is about, in quotes and as people know it. */
export interface Refused {
  /** The value: “Price”, an entry of it, its default, or just a value. */
  readonly what: string;
  readonly field: string;
  readonly collection: string;
  /** The field if there is one, else the collection. */
  readonly subject: string;
  /** A parameter as text: numbers as the person writes them, lists with commas. */
  readonly fact: (name: string) => string;
  readonly kind: 'collection' | 'field' | 'index';
  /** The failed rule in words, such as: is at least 5. */
  readonly rule: string;
}

type Sentence = (about: Refused) => string;

export const refusalsEnglish = {
  value: 'A value',
  entryOf: (what: string) => `An entry of ${what}`,
  defaultOf: (what: string) => `The default value of ${what}`,
  quote: (text: string) => `“${text}”`,
  /** For refusals that have no words here. */
  other: (reason: string) => reason,
  sentences: {
    whole_number: ({ what }) => `${what} has to be a whole number.`,
    number: ({ what }) => `${what} has to be a number.`,
    decimal_number: ({ what }) => `${what} has to be a number.`,
    true_or_false: ({ what }) => `${what} has to be yes or no.`,
    date: ({ what }) => `${what} has to be a date.`,
    time: ({ what }) => `${what} has to be a time of day.`,
    date_time: ({ what }) => `${what} has to be a date with a time.`,
    moment: ({ what }) => `${what} has to be a date with a time.`,
    uuid: ({ what }) => `${what} has to be a UUID.`,
    json: ({ what }) => `${what} has to be valid JSON.`,
    base64: ({ what }) => `${what} has to be base64.`,
    text: ({ what }) => `${what} has to be text.`,
    list: ({ what }) => `${what} has to be a list.`,
    words: ({ what }) => `${what} has to be a list of words without commas.`,
    texts_by_name: ({ what }) => `${what} has to be an object of texts.`,
    geometry: ({ what }) => `${what} has to be a shape in GeoJSON.`,
    one_of: ({ what, fact }) => `${what} has to be one of: ${fact('choices')}.`,
    bits: ({ what, fact }) => `${what} has to be at most ${fact('max')} bits such as 101.`,
    range: ({ what, fact }) => `${what} has to be from ${fact('min')} to ${fact('max')}.`,
    too_many_digits: ({ what }) => `${what} has too many digits.`,
    inexact_number: ({ what }) => `${what} has too many digits to be kept exactly.`,
    inexact_decimal: ({ what }) => `${what} has too many digits to be kept exactly.`,
    unkept_digits: ({ what, fact }) => `${what} has more than ${fact('digits')} digits, which are not kept.`,
    digits: ({ what, fact }) => `${what} has too many digits: at most ${fact('precision')} are kept, ${fact('scale')} of them decimals.`,
    out_of_range: ({ what }) => `${what} is too large or too small.`,
    too_deep: ({ what }) => `${what} is nested too deeply.`,
    unstorable_text: ({ what }) => `${what} holds a character that cannot be stored.`,
    too_long: ({ what, fact }) => `${what} is longer than ${fact('max')} characters.`,
    no_value: ({ what }) => `${what} holds no value of its own.`,

    'FAILED_VALIDATION.required': ({ what }) => `${what} needs a value.`,
    'FAILED_VALIDATION.nnull': ({ what }) => `${what} needs a value.`,
    'FAILED_VALIDATION.email': () => 'This is no valid email address.',
    'FAILED_VALIDATION.regex': ({ what }) => `${what} does not have the form that is asked for.`,
    'FAILED_VALIDATION.check': ({ what }) => `${what} breaks a rule of the database.`,
    'FAILED_VALIDATION.check.named': ({ what, fact }) => `${what} breaks the rule “${fact('constraint')}” of the database.`,
    'FAILED_VALIDATION.partition': ({ what }) => `${what} fits no partition of the database.`,
    FAILED_VALIDATION: ({ what, rule }) => `${what}: the rule “${rule}” does not hold.`,
    RECORD_NOT_UNIQUE: ({ what }) => `${what} has to be unique: another item has this value.`,
    INVALID_FOREIGN_KEY: ({ what }) => `${what} refers to an item that does not exist.`,
    NOT_NULL_VIOLATION: ({ what }) => `${what} needs a value.`,
    VALUE_TOO_LONG: ({ what }) => `${what} is too long.`,
    VALUE_OUT_OF_RANGE: ({ what }) => `${what} is too large or too small.`,
    'INVALID_PAYLOAD.field': ({ what }) => `${what} does not fit its type.`,
    key_unchangeable: ({ field }) => `The key ${field} of an item cannot be changed.`,
    generated_field: ({ field }) => `${field} is computed by the database.`,
    too_many_written: ({ fact }) => `At most ${fact('limit')} items can be saved at once, nested ones included.`,
    nested_too_deeply: ({ fact }) => `Items can be nested at most ${fact('limit')} levels deep.`,
    still_referenced: () => 'Other items still refer to this one.',

    FORBIDDEN: () => 'You do not have permission for this, or it does not exist.',
    forbidden_collection: ({ collection }) => `You do not have permission for ${collection}, or it does not exist.`,
    forbidden_field: ({ field, collection }) => `You do not have permission for ${field} in ${collection}, or it does not exist.`,
    read_only_collection: ({ collection }) => `${collection} can only be read: its items have no key, or its database is only read.`,
    database_denies_reading: () => 'The database does not let the service read this.',
    database_denies_writing: () => 'The database does not let the service write this. Nothing was changed.',
    database_read_only: () => 'The database takes no writes at the moment. Nothing was changed.',
    database_full: () => 'The database has no room left. Nothing was changed.',
    viewing_as: () => 'You are viewing as another user: nothing can be changed meanwhile.',

    PRECONDITION_FAILED: () => 'Somebody else has changed this meanwhile.',
    VERSION_HASH_MISMATCH: () => 'The item has changed since it was compared with the version.',
    CONTENT_TOO_LARGE: () => 'This is too much at once for the service.',
    REQUESTS_EXCEEDED: () => 'Too many requests. Wait a moment and try again.',
    SERVICE_UNAVAILABLE: () => 'The service cannot answer right now. Try again in a moment.',
    INTERNAL_SERVER_ERROR: () => 'The service failed unexpectedly. Its log says why.',
    ROUTE_NOT_FOUND: () => 'This does not exist.',
    INVALID_CREDENTIALS: () => 'The password or the sign-in is wrong, or has ended.',
    INVALID_OTP: () => 'The code is wrong. Codes change every 30 seconds.',
    INVALID_IP: () => 'This is not allowed from your address in the network.',
    TOKEN_EXPIRED: () => 'The link or the sign-in has expired.',
    INVALID_TOKEN: () => 'The link or the sign-in is not valid.',
    INVALID_INVITE: () => 'The invitation was used or withdrawn.',
    ILLEGAL_ASSET_TRANSFORMATION: () => 'The image cannot be transformed that way.',
    UNSUPPORTED_MEDIA_TYPE: () => 'The service does not take content of this kind.',

    last_administrator: () => 'The last administrator cannot be removed.',
    last_way: () => 'This is the only way to sign in to the account.',
    passkey_first: () => 'Sign in with a passkey of this account first.',
    prove_owner: () => 'This needs your password, or a sign-in within the last five minutes.',
    provider_account: () => 'This account signs in by its provider, and cannot have passkeys.',
    passkey_known: () => 'This passkey is registered already.',
    too_many_passkeys: ({ fact }) => `An account can have ${fact('limit')} passkeys.`,
    too_many_access_keys: ({ fact }) => `An account can have ${fact('limit')} access keys.`,
    reading_key: () => 'The access key is for reading only.',
    not_by_key: () => 'Access keys cannot do this: sign in.',
    expiry_past: () => 'The moment of expiry has to be in the future.',
    passkeys_need_address: () => 'Passkeys need an https address of the service with a host name (PUBLIC_URL).',
    two_factor_on: () => 'One-time codes are on already.',
    two_factor_off: () => 'One-time codes are not on.',
    wrong_code: () => 'The code is wrong. Codes change every 30 seconds.',
    no_address: () => 'Your account has no email address: give it one first.',
    role_cycle: () => 'A role cannot be its own parent, nor a parent of its parents.',
    no_ip: ({ fact }) => `“${fact('detail')}” is no address, block or range of addresses.`,
    file_too_large: ({ fact }) => `The file is larger than ${fact('limit')} bytes.`,
    no_file: () => 'There is no file.',
    no_url: () => 'This is no address.',
    unreachable_url: ({ fact }) => `No file could be fetched from ${fact('detail')}.`,
    unversioned: ({ collection }) => `${collection} has no versions.`,
    version_exists: ({ fact }) => `The item has a version “${fact('name')}” already.`,
    version_named_main: ({ fact }) => `“${fact('name')}” is the name of the item itself.`,
    version_empty: () => 'The version holds nothing to publish, or the fields that it changes are gone.',
    version_by_inactive: () => 'Some of the changes were saved by a user who is no longer active: save them again first.',

    flow_time_table: ({ fact }) => `“${fact('detail')}” is no time table: it needs five or six fields, such as “0 6 * * 1”.`,
    flow_script_template: () => 'A script takes no {{ … }}: the values are in “data”.',
    flow_circle: ({ fact }) => `The steps lead in a circle: ${fact('names')}.`,
    flow_key_twice: ({ fact }) => `Two steps have the key “${fact('name')}”.`,
    flow_other: () => 'A step belongs to another flow.',

    collection_exists: ({ collection }) => `There is a collection ${collection} already.`,
    collection_just_created: ({ collection }) => `There is a collection ${collection} already: somebody else has just created it.`,
    field_exists: ({ field, collection }) => `${collection} has a field ${field} already.`,
    field_twice: ({ field }) => `The field ${field} is there twice.`,
    name_malformed: ({ fact }) =>
      `“${fact('name')}” cannot be a name: it has to begin with a letter or underscore and hold only letters, digits, underscores, hyphens and spaces.`,
    name_reserved: ({ fact }) => `The name “${fact('name')}” is reserved.`,
    name_underscores: ({ fact }) => `The name “${fact('name')}” is reserved: it begins with two underscores.`,
    name_of_service: ({ fact }) => `The name “${fact('name')}” is reserved for the service and the database.`,
    name_too_long: ({ fact }) => `The name “${fact('name')}” is longer than ${fact('limit')} bytes.`,
    name_dots: ({ fact }) => `The name “${fact('name')}” has too many dots.`,
    has_primary_key: ({ collection }) => `${collection} has a primary key already.`,
    primary_key_stays: ({ field }) => `${field} is the primary key of its collection and cannot be deleted.`,
    primary_key_no_relation: ({ field }) => `${field} is the primary key and cannot hold a relation.`,
    own_collection: ({ collection }) => `${collection} belongs to the service and cannot be changed.`,
    relation_exists: ({ field }) => `${field} has a relation already.`,
    relation_types_differ: ({ field, fact }) =>
      `${field} cannot refer to this collection: it is of type “${fact('fieldType')}”, and the key there of type “${fact('keyType')}”.`,
    relation_without_key: ({ collection }) => `${collection} has no key of one field to refer to.`,
    list_field_taken: ({ field, collection }) => `${collection} has a field ${field} already: choose another name for the list.`,
    not_nullable: ({ field }) => `${field} cannot become empty when the item there is deleted, because it needs a value.`,
    scale_over_precision: ({ field }) => `${field} has more decimals than digits.`,
    views_break: ({ fact }) => `Views of the database use what would be deleted: ${fact('views')}. Drop them first.`,
    index_exists: ({ collection }) => `${collection} has such an index already.`,
    index_name_taken: ({ fact }) => `The name “${fact('name')}” is taken: choose another one for the index.`,
    index_without_column: ({ field }) => `${field} has no column, so no index can hold it.`,
    stored_twice: ({ subject }) => `${subject} holds values that are not unique.`,
    stored_null: ({ subject }) => `${subject} is empty in some items.`,
    stored_orphans: ({ subject }) => `${subject} holds values that the other collection does not have.`,
    stored_too_long: ({ subject }) => `${subject} holds values that are too long.`,
    stored_out_of_range: ({ subject }) => `${subject} holds values that are too large or too small.`,
    stored_of_other_type: ({ subject }) => `${subject} holds values that cannot become the new type.`,
    still_used: ({ subject, fact }) => `${subject} is still used by something else in the database: ${fact('detail')}`,
    database_denies_change: ({ subject, fact }) => `The database does not let the service change ${subject}: ${fact('detail')}`,
    database_refuses_change: ({ fact }) => `The database refuses the change: ${fact('detail')}`,
  } satisfies Readonly<Record<string, Sentence>>,
};

export type RefusalTexts = Omit<typeof refusalsEnglish, 'sentences'> & {
  readonly sentences: Readonly<Record<keyof (typeof refusalsEnglish)['sentences'], Sentence>>;
};
