import { type DragEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { placeAfterDrop } from '../model/order';

interface Props<Item> {
  /** Label of the list, for screen readers. */
  label: string;
  items: readonly Item[];
  nameOf: (item: Item, index: number) => string;
  /** A note next to the name. */
  noteOf?: (item: Item, index: number) => ReactNode;
  onMove: (from: number, to: number) => void;
  onRemove: (index: number) => void;
  children: (item: Item, index: number) => ReactNode;
}

/** Cards that can be moved with a drag handle or with buttons. The focus stays on the moved card. */
export function OrderedCards<Item extends { key: string }>(props: Props<Item>) {
  const { label, items, nameOf, onMove, children } = props;
  const id = useId();
  const [announcement, announce] = useState('');
  const focused = useRef<string>(undefined);
  useEffect(() => {
    if (focused.current === undefined) return;
    document.getElementById(focused.current)?.focus();
    focused.current = undefined;
  });
  const move = (from: number, to: number): void => {
    if (to < 0 || to >= items.length || to === from) return;
    announce(`${nameOf(items[from]!, from)} is now ${to + 1} of ${items.length}`);
    onMove(from, to);
  };
  const { dragged, itemProps, handleProps } = useDrag(move);
  return (
    <>
      <ol className="ordered-cards" aria-label={label}>
        {items.map((item, index) => (
          <li key={item.key} {...itemProps(index)} data-dragged={dragged === index || undefined}>
            <CardHead
              {...props}
              item={item}
              index={index}
              idOf={(direction) => `${id}-${item.key}-${direction}`}
              handleProps={handleProps(index)}
              move={(to, button) => {
                focused.current = button;
                move(index, to);
              }}
            />
            <div className="ordered-card-body">{children(item, index)}</div>
          </li>
        ))}
      </ol>
      <p role="status" className="visually-hidden">
        {announcement}
      </p>
    </>
  );
}

interface HeadProps<Item> extends Props<Item> {
  item: Item;
  index: number;
  idOf: (direction: string) => string;
  handleProps: object;
  move: (to: number, button: string) => void;
}

function CardHead<Item>({ items, item, index, nameOf, noteOf, onRemove, idOf, handleProps, move }: HeadProps<Item>) {
  const name = nameOf(item, index);
  // not `disabled`, because a disabled button would lose the focus at the end of the list
  const button = (direction: 'up' | 'down', to: number, sign: string) => (
    <button
      type="button"
      id={idOf(direction)}
      className="button button-quiet button-small"
      aria-label={`Move ${name} ${direction}`}
      aria-disabled={to < 0 || to >= items.length}
      onClick={() => move(to, idOf(direction))}
    >
      {sign}
    </button>
  );
  return (
    <div className="ordered-card-head">
      <span className="drag-handle" title="Drag to move" aria-hidden="true" {...handleProps}>
        ⠿
      </span>
      <h3 className="truncate" title={name}>
        <bdi>{name}</bdi>
      </h3>
      {noteOf?.(item, index)}
      <span className="ordered-card-buttons">
        {button('up', index - 1, '↑')}
        {button('down', index + 1, '↓')}
        <button
          type="button"
          className="button button-quiet button-small"
          aria-label={`Remove ${name}`}
          onClick={() => onRemove(index)}
        >
          ✕
        </button>
      </span>
    </div>
  );
}

/** Drag and drop of the browser. */
function useDrag(move: (from: number, to: number) => void) {
  const [dragged, setDragged] = useState<number>();
  const [drop, setDrop] = useState<{ over: number; isBehind: boolean }>();
  const end = (): void => {
    setDragged(undefined);
    setDrop(undefined);
  };
  const handleProps = (index: number) => ({
    draggable: true,
    onDragStart: (event: DragEvent<HTMLElement>) => {
      event.dataTransfer.effectAllowed = 'move';
      // without data Firefox drags nothing
      event.dataTransfer.setData('text/plain', String(index));
      event.dataTransfer.setDragImage(event.currentTarget.closest('li')!, 16, 16);
      setDragged(index);
    },
    onDragEnd: end,
  });
  const itemProps = (index: number) => ({
    'data-drop': drop?.over === index ? (drop.isBehind ? 'behind' : 'before') : undefined,
    onDragOver: (event: DragEvent<HTMLElement>) => {
      if (dragged === undefined) return;
      event.preventDefault();
      const { top, height } = event.currentTarget.getBoundingClientRect();
      setDrop({ over: index, isBehind: event.clientY > top + height / 2 });
    },
    onDrop: (event: DragEvent<HTMLElement>) => {
      event.preventDefault();
      if (dragged !== undefined && drop) move(dragged, placeAfterDrop(dragged, drop.over, drop.isBehind));
      end();
    },
  });
  return { dragged, itemProps, handleProps };
}
