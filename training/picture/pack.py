"""Packs a trained network for `xiangqi-picture`: weights of eight bits, activations from 0 to 255. `restore` does the reverse."""
import argparse

import numpy as np
import torch

from train import CHANNELS, Net, as_input, load


def pack(net, sample):
    """The bytes of the file: for each layer its sizes, what is added, what sums are multiplied by, its weights."""
    net.eval()
    out = b""
    x = as_input(sample)
    # One unit of a layer's input, in its integers: patches are divided by 64.
    unit = 1 / 64
    with torch.no_grad():
        for i, (conv, norm) in enumerate(zip(net.convs, net.norms)):
            x = torch.relu(norm(conv(x)))
            top = float(np.quantile(x.numpy()[x.numpy() > 0], 0.9995))
            if i < 3:
                x = torch.nn.functional.max_pool2d(x, 2)
            gain = norm.weight / torch.sqrt(norm.running_var + norm.eps)
            weight = (conv.weight * gain[:, None, None, None]).permute(0, 2, 3, 1).flatten(1).numpy()
            bias = (norm.bias - norm.running_mean * gain).numpy()
            next_unit = top / 255
            step = np.abs(weight).max(1) / 127
            out += layer(weight, bias / next_unit, step, step * unit / next_unit)
            unit = next_unit
        weight, bias = net.out.weight.numpy(), net.out.bias.numpy()
        step = np.abs(weight).max(1) / 127
        out += layer(weight, bias, step, step * unit)
    return out


def layer(weight, bias, step, scale):
    whole = np.round(weight / step[:, None]).clip(-127, 127).astype(np.int8)
    return (np.array(weight.shape[::-1], "<u2").tobytes() + bias.astype("<f4").tobytes()
            + scale.astype("<f4").tobytes() + whole.tobytes())


def layers(data):
    """For each layer of a packed network: its weights as whole numbers, what is added, what sums are multiplied by."""
    while data:
        inputs, outputs = np.frombuffer(data, "<u2", 2)
        floats = np.frombuffer(data, "<f4", 2 * outputs, 4)
        start = 4 + 8 * int(outputs)
        whole = np.frombuffer(data, np.int8, int(inputs) * int(outputs), start).reshape(outputs, inputs)
        yield whole.astype(np.float32), floats[:outputs], floats[outputs:]
        data = data[start + whole.size :]


def restore(net, data, sample):
    """The network of a packed file, to go on with its training; what this one has more of begins without a say.

    The sample tells the norms what they have seen.
    """
    *convolutions, (whole, bias, scale) = layers(data)
    x = as_input(sample)
    unit = 1 / 64  # Of every layer: how its outputs are counted is free, as they are not negative.
    with torch.no_grad():
        for i, (numbers, added, times) in enumerate(convolutions):
            conv, norm = net.convs[i], net.norms[i]
            weight = torch.from_numpy(numbers * times[:, None]).unflatten(1, (3, 3, -1)).permute(0, 3, 1, 2)
            outputs, inputs = weight.shape[:2]
            conv.weight[:outputs, inputs:] = 0
            conv.weight[:outputs, :inputs] = weight
            y = conv(x)
            norm.running_mean.copy_(y.mean((0, 2, 3)))
            norm.running_var.copy_(y.var((0, 2, 3)))
            norm.weight[:outputs] = torch.sqrt(norm.running_var + norm.eps)[:outputs]
            norm.bias[:outputs] = torch.from_numpy(added * unit) + norm.running_mean[:outputs]
            net.eval()
            x = torch.relu(norm(y))
            net.train()
            if i < 3:
                x = torch.nn.functional.max_pool2d(x, 2)
        last = torch.from_numpy(whole * scale[:, None] / unit).unflatten(1, (4, -1))
        out = torch.zeros(len(last), 4, CHANNELS[-1])
        out[:, :, : last.shape[2]] = last
        net.out.weight.copy_(out.flatten(1))
        net.out.bias.copy_(torch.from_numpy(bias.copy()))


def mix(net, old, share):
    """Moves a network that was trained from `old` back towards it, so that it forgets less: `share` is what is new.

    Norms become a part of the convolutions before them.
    """
    with torch.no_grad():
        folded = []
        for one in (old, net):
            gains = [norm.weight / torch.sqrt(norm.running_var + norm.eps) for norm in one.norms]
            folded.append([(conv.weight * gain[:, None, None, None], norm.bias - norm.running_mean * gain)
                           for conv, norm, gain in zip(one.convs, one.norms, gains)])
        for conv, norm, (w0, b0), (w1, b1) in zip(net.convs, net.norms, *folded):
            conv.weight.copy_(torch.lerp(w0, w1, share))
            norm.weight.fill_(1)
            norm.bias.copy_(torch.lerp(b0, b1, share))
            norm.running_mean.zero_()
            norm.running_var.fill_(1 - norm.eps)
        for new, was in ((net.out.weight, old.out.weight), (net.out.bias, old.out.bias)):
            new.copy_(torch.lerp(was, new, share))


def main():
    a = argparse.ArgumentParser()
    a.add_argument("state")
    a.add_argument("patches")
    a.add_argument("target")
    a.add_argument("--start", help="the packed network that the training began with, to mix in")
    a.add_argument("--share", type=float, default=0.6, help="how much of the mixture is new")
    a.add_argument("--seed", type=int, default=76, help="as in training")
    a = a.parse_args()
    net = Net()
    net.load_state_dict(torch.load(a.state))
    sample = load(a.patches)[0][:3000]
    if a.start:
        torch.manual_seed(a.seed)  # What the older network lacks begins as it did in training.
        old = Net()
        with open(a.start, "rb") as f:
            restore(old, f.read(), sample)
        mix(net, old, a.share)
    data = pack(net, sample)
    with open(a.target, "wb") as f:
        f.write(data)
    print(len(data), "bytes")


if __name__ == "__main__":
    main()
