import { ActionIcon, Button, TextInput } from '@mantine/core';
import {
  ADDITIONAL_PROPERTY_FLAG,
  type ArrayFieldItemTemplateProps,
  type ArrayFieldTemplateProps,
  buttonId,
  canExpand,
  type DescriptionFieldProps,
  descriptionId,
  errorId,
  type FieldErrorProps,
  type FieldTemplateProps,
  type IconButtonProps,
  type MultiSchemaFieldTemplateProps,
  type ObjectFieldTemplateProps,
  type WrapIfAdditionalTemplateProps,
} from '@rjsf/utils';
import { ArrowDown, ArrowUp, Copy, Plus, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { itemLabel } from './form-context.ts';
import classes from './schema-form.module.css';

/** Lays out a field: label, description, control, errors. */
export function FieldTemplate(props: FieldTemplateProps) {
  const { id, label, required, displayLabel, hidden, rawDescription, children, errors, registry } = props;
  const { WrapIfAdditionalTemplate } = registry.templates;
  // List items show their number instead.
  const hasLabel = displayLabel === true && itemLabel(props.fieldPathId.path, label) === undefined;
  if (hidden) return <div hidden>{children}</div>;
  return (
    <WrapIfAdditionalTemplate {...props}>
      {hasLabel && (
        <label className={classes.label} htmlFor={id}>
          {label}
          {required === true && <span className={classes.required}>required</span>}
        </label>
      )}
      {hasLabel && rawDescription !== undefined && rawDescription !== '' && (
        <p className={classes.description} id={descriptionId(id)}>
          {rawDescription}
        </p>
      )}
      {children}
      {errors}
    </WrapIfAdditionalTemplate>
  );
}

/** Wraps a field that the schema does not name, so that it can be renamed and removed. */
export function WrapIfAdditionalTemplate(props: WrapIfAdditionalTemplateProps) {
  const { id, label, schema, disabled, onKeyRenameBlur, onRemoveProperty, children, registry, uiSchema } =
    props;
  const { RemoveButton } = registry.templates.ButtonTemplates;
  if (!(ADDITIONAL_PROPERTY_FLAG in schema)) return <div className={`grow ${classes.field}`}>{children}</div>;
  return (
    <div className={classes.additional}>
      <TextInput
        key={label}
        id={`${id}-key`}
        aria-label={`Name of field ${label}`}
        defaultValue={label}
        disabled={disabled === true}
        onBlur={onKeyRenameBlur}
      />
      <div className={`grow ${classes.field}`}>{children}</div>
      <RemoveButton
        id={buttonId(id, 'remove')}
        title={`Remove ${label}`}
        disabled={disabled === true}
        onClick={onRemoveProperty}
        registry={registry}
        {...(uiSchema === undefined ? {} : { uiSchema })}
      />
    </div>
  );
}

export function ObjectFieldTemplate(props: ObjectFieldTemplateProps) {
  const { title, description, properties, fieldPathId, schema, uiSchema, formData, required } = props;
  const isRoot = fieldPathId.path.length === 0;
  const isChoiceOnly = (schema.oneOf ?? schema.anyOf) !== undefined && properties.length === 0;
  if (isChoiceOnly && !canExpand(schema, uiSchema, formData)) return null;
  return (
    <Group
      id={fieldPathId.$id}
      title={isRoot ? undefined : title}
      description={isRoot ? undefined : description}
      required={required === true && !isRoot}
    >
      {properties.map(({ content, name, hidden }) => (hidden ? null : <Member key={name}>{content}</Member>))}
      {canExpand(schema, uiSchema, formData) && (
        <AddButton
          id={buttonId(fieldPathId, 'add')}
          words={`Add a field${isRoot ? '' : ` to ${title}`}`}
          disabled={props.disabled}
          onClick={props.onAddProperty}
        />
      )}
    </Group>
  );
}

export function ArrayFieldTemplate(props: ArrayFieldTemplateProps) {
  const { title, schema, items, canAdd, onAddClick, fieldPathId, required } = props;
  return (
    <Group id={fieldPathId.$id} title={title} description={schema.description} required={required === true}>
      {items}
      {canAdd === true && (
        <AddButton
          id={buttonId(fieldPathId, 'add')}
          words={`Add to ${title}`}
          disabled={props.disabled}
          onClick={onAddClick}
        />
      )}
    </Group>
  );
}

export function ArrayFieldItemTemplate({
  children,
  buttonsProps,
  index,
  hasToolbar,
}: ArrayFieldItemTemplateProps) {
  const { hasMoveUp, hasMoveDown, hasRemove, onMoveUpItem, onMoveDownItem, onRemoveItem } = buttonsProps;
  const disabled = buttonsProps.disabled === true;
  const number = index + 1;
  return (
    <div className={classes.item}>
      <span className={classes.number} aria-hidden>
        {number}
      </span>
      <div className={`grow ${classes.field}`}>{children}</div>
      {hasToolbar && (
        <div className="flex fixed">
          {(hasMoveUp === true || hasMoveDown === true) && (
            <>
              <ActionIcon
                aria-label={`Move item ${number} up`}
                disabled={disabled || hasMoveUp !== true}
                onClick={onMoveUpItem}
              >
                <ArrowUp size={14} aria-hidden />
              </ActionIcon>
              <ActionIcon
                aria-label={`Move item ${number} down`}
                disabled={disabled || hasMoveDown !== true}
                onClick={onMoveDownItem}
              >
                <ArrowDown size={14} aria-hidden />
              </ActionIcon>
            </>
          )}
          {hasRemove === true && (
            <ActionIcon aria-label={`Remove item ${number}`} disabled={disabled} onClick={onRemoveItem}>
              <X size={14} aria-hidden />
            </ActionIcon>
          )}
        </div>
      )}
    </div>
  );
}

/** Lays out a choice of schemas above the fields of the chosen one. */
export function MultiSchemaFieldTemplate({ selector, optionSchemaField }: MultiSchemaFieldTemplateProps) {
  return (
    <div className={classes.choice}>
      {selector}
      {optionSchemaField}
    </div>
  );
}

/** Expands a recursive schema one level on demand. */
export function CyclicSchemaExpandTemplate({ name, fieldPathId, onExpand }: CyclicProps) {
  return (
    <Button
      className={classes.expand ?? ''}
      variant="default"
      leftSection={<Plus size={13} aria-hidden />}
      onClick={() => onExpand(fieldPathId.$id)}
    >
      Fill in {name}
    </Button>
  );
}

interface CyclicProps {
  readonly name: string;
  readonly fieldPathId: { readonly $id: string };
  readonly onExpand: (id: string) => void;
}

export function DescriptionFieldTemplate({ id, description }: DescriptionFieldProps) {
  if (description === undefined || description === '') return null;
  return (
    <p className={classes.description} id={id}>
      {description}
    </p>
  );
}

export function FieldErrorTemplate({ errors = [], fieldPathId }: FieldErrorProps) {
  if (errors.length === 0) return null;
  return (
    <div id={errorId(fieldPathId)} className={classes.errors}>
      {[...new Set(errors.map(String))].map((error) => (
        <p key={error}>{error}</p>
      ))}
    </div>
  );
}

export const buttonTemplates = {
  AddButton: ({ onClick, disabled, id }: IconButtonProps) => (
    <AddButton id={id} words="Add" disabled={disabled} onClick={onClick} />
  ),
  RemoveButton: (props: IconButtonProps) => (
    <SmallButton {...props} icon={<X size={14} aria-hidden />} words="Remove" />
  ),
  CopyButton: (props: IconButtonProps) => (
    <SmallButton {...props} icon={<Copy size={14} aria-hidden />} words="Copy" />
  ),
  MoveUpButton: (props: IconButtonProps) => (
    <SmallButton {...props} icon={<ArrowUp size={14} aria-hidden />} words="Move up" />
  ),
  MoveDownButton: (props: IconButtonProps) => (
    <SmallButton {...props} icon={<ArrowDown size={14} aria-hidden />} words="Move down" />
  ),
  /** The tester has its own run button. */
  SubmitButton: () => null,
};

interface GroupProps {
  readonly id: string;
  readonly title: string | undefined;
  readonly description: ReactNode;
  readonly required: boolean;
  readonly children: ReactNode;
}

function Group({ id, title, description, required, children }: GroupProps) {
  if (title === undefined || title === '') return <div className={classes.members}>{children}</div>;
  return (
    <fieldset id={id} className={classes.group}>
      <legend className={classes.legend}>
        {title}
        {required && <span className={classes.required}>required</span>}
      </legend>
      {description !== undefined && description !== '' && (
        <div className={classes.description}>{description}</div>
      )}
      <div className={classes.members}>{children}</div>
    </fieldset>
  );
}

function Member({ children }: { children: ReactNode }) {
  return <>{children}</>;
}

type Click = IconButtonProps['onClick'];

function AddButton(props: {
  readonly id: string | undefined;
  readonly words: string;
  readonly disabled: boolean | undefined;
  readonly onClick: Click;
}) {
  const { id, words, disabled = false, onClick } = props;
  return (
    <Button
      {...(id === undefined ? {} : { id })}
      className={classes.add ?? ''}
      variant="default"
      size="compact-xs"
      leftSection={<Plus size={12} aria-hidden />}
      disabled={disabled}
      {...(onClick === undefined ? {} : { onClick })}
    >
      {words}
    </Button>
  );
}

function SmallButton(props: IconButtonProps & { readonly words: string }) {
  const { id, title, words, icon, disabled = false, onClick } = props;
  return (
    <ActionIcon
      {...(id === undefined ? {} : { id })}
      aria-label={title ?? words}
      disabled={disabled}
      {...(onClick === undefined ? {} : { onClick })}
    >
      {icon}
    </ActionIcon>
  );
}
